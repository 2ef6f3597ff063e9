export interface Labelled {
  /** What is seen of it. */
  cues: ReadonlySet<string>;
  /** Is it what is looked for? */
  isOne: boolean;
  /** How much it counts. */
  worth: number;
}

export interface Limits {
  /** Cues of fewer rows are chance. */
  minRows: number;
  /** Pulls weights to 0, so that no cue decides alone. */
  decay: number;
  /** The heaviest are kept. */
  maxCues: number;
}

export interface Weights {
  bias: number;
  /** The heaviest first. */
  cues: [cue: string, weight: number][];
}

/** More make the weights larger and tell no better. */
const rounds = 100;
const rate = 0.5;
/** Scales up what both sides have alike, too: it may tell something beside other cues. */
const minContrast = 0.1;

/**
 * Logistic regression over the cues of labelled rows. A cue that is much more frequent in those that are looked for than
 * in others, or much less, is scaled up, so that it needs less weight. The same rows give the same weights.
 */
export function train(all: readonly Labelled[], { minRows, decay, maxCues }: Limits): Weights {
  const counts = countsOf(all);
  const names = [...counts].filter(([, { rows }]) => rows >= minRows).map(([cue]) => cue);
  const at = new Map(names.map((cue, i) => [cue, i]));
  const rows = all.map(({ cues }) => Int32Array.from([...cues].flatMap((cue) => at.get(cue) ?? [])));
  const scale = rows.map((row) => 3 / Math.sqrt(Math.max(1, row.length)));
  const worthOf = (some: readonly Labelled[]) => some.reduce((sum, { worth }) => sum + worth, 0);
  const worth = worthOf(all);
  const looked = worthOf(all.filter(({ isOne }) => isOne));
  const contrast = names.map((cue) => {
    const { on, off } = counts.get(cue)!;
    const odds = (on + 1) / looked / ((off + 1) / (worth - looked));
    return Math.sqrt(Math.abs(Math.log(odds)) + minContrast);
  });
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(0.01);
  let bias = 0;
  let biasSquares = 0.01;
  for (let round = 0; round < rounds; round++) {
    const slopes = new Float64Array(names.length);
    let biasSlope = 0;
    rows.forEach((row, i) => {
      const { isOne, worth } = all[i]!;
      let sum = 0;
      for (const cue of row) sum += weights[cue]! * contrast[cue]!;
      const score = bias + scale[i]! * sum;
      const error = worth * (1 / (1 + Math.exp(-score)) - (isOne ? 1 : 0));
      biasSlope += error;
      for (const cue of row) slopes[cue]! += error * scale[i]! * contrast[cue]!;
    });
    slopes.forEach((slope, cue) => {
      const full = slope + decay * worth * weights[cue]!;
      squares[cue]! += full * full;
      weights[cue]! -= (rate * full) / Math.sqrt(squares[cue]!);
    });
    biasSquares += biasSlope * biasSlope;
    bias -= (rate * biasSlope) / Math.sqrt(biasSquares);
  }
  const cues = names
    .map((cue, i): [string, number] => [cue, Math.round(weights[i]! * contrast[i]! * 10) / 10])
    .filter(([, weight]) => weight !== 0)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]) || (a[0] < b[0] ? -1 : 1))
    .slice(0, maxCues);
  return { bias: Math.round(bias * 100) / 100, cues };
}

interface Count {
  /** What the rows with the cue that are looked for are worth, and what the others are. */
  on: number;
  off: number;
  rows: number;
}

function countsOf(all: readonly Labelled[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const { cues, isOne, worth } of all)
    for (const cue of cues) {
      const count = counts.get(cue) ?? { on: 0, off: 0, rows: 0 };
      count[isOne ? 'on' : 'off'] += worth;
      count.rows++;
      counts.set(cue, count);
    }
  return counts;
}

/**
 * The source of `weights.ts`: the cues of one weight share a line. `what` is scored; its cues `above` 0 say one thing, and
 * those `below` the other.
 */
export function sourceOf(
  { bias, cues }: Weights,
  { what = 'sentence', above, below }: { what?: string; above: string; below: string },
): string {
  const lines = [...Map.groupBy(cues, ([, weight]) => weight)]
    .sort(([a], [b]) => b - a)
    .map(([weight, of]) => [weight.toFixed(1), ...of.map(([cue]) => cue).sort()].join(' '));
  return [
    '// Made by `npm run cues` from libs/engine/instruction-samples: see tools/src/cues.',
    '',
    `/** What a ${what} scores without any cue. */`,
    `export const bias = ${bias};`,
    '',
    `/** A weight, and the cues that have it: above 0 they ${above}, below 0 ${below}. */`,
    'export const weightsByCue = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}

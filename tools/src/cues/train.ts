import { cuesOf } from '@spillway/engine';

export interface Labelled {
  text: string;
  isInstruction: boolean;
  /** How much the sentence counts. */
  worth: number;
}

export interface Weights {
  bias: number;
  /** The heaviest first. */
  cues: [cue: string, weight: number][];
}

/** Cues of fewer sentences are chance. */
const minSentences = 3;
const rounds = 300;
const rate = 0.5;
/** Pulls weights to 0, so that no cue decides alone. */
const decay = 2e-4;
const maxCues = 12_000;
/** Scales up what both sides have alike, too: it may tell something beside other cues. */
const minContrast = 0.1;

/**
 * Logistic regression over the cues of labelled sentences. A cue that is much more frequent in instructions than in
 * other sentences, or much less, is scaled up, so that it needs less weight. The same sentences give the same weights.
 */
export function train(sentences: readonly Labelled[]): Weights {
  const found = sentences.map(({ text }) => cuesOf(text));
  const counts = countsOf(sentences, found);
  const names = [...counts].filter(([, [on, off]]) => on + off >= minSentences).map(([cue]) => cue);
  const at = new Map(names.map((cue, i) => [cue, i]));
  const rows = found.map((cues) => Int32Array.from([...cues].flatMap((cue) => at.get(cue) ?? [])));
  const scale = rows.map((row) => 3 / Math.sqrt(Math.max(1, row.length)));
  const all = sentences.filter(({ isInstruction }) => isInstruction).length;
  const contrast = names.map((cue) => {
    const [on, off] = counts.get(cue)!;
    const odds = (on + 1) / all / ((off + 1) / (sentences.length - all));
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
      const { isInstruction, worth } = sentences[i]!;
      let sum = 0;
      for (const cue of row) sum += weights[cue]! * contrast[cue]!;
      const score = bias + scale[i]! * sum;
      const error = worth * (1 / (1 + Math.exp(-score)) - (isInstruction ? 1 : 0));
      biasSlope += error;
      for (const cue of row) slopes[cue]! += error * scale[i]! * contrast[cue]!;
    });
    slopes.forEach((slope, cue) => {
      const full = slope + decay * rows.length * weights[cue]!;
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

/** In how many instructions, and in how many other sentences, each cue is found. */
function countsOf(
  sentences: readonly Labelled[],
  found: readonly Set<string>[],
): Map<string, [number, number]> {
  const counts = new Map<string, [number, number]>();
  found.forEach((cues, i) => {
    for (const cue of cues) {
      const count = counts.get(cue) ?? [0, 0];
      count[sentences[i]!.isInstruction ? 0 : 1]++;
      counts.set(cue, count);
    }
  });
  return counts;
}

/** The source of `weights.ts`: the cues of one weight share a line. */
export function sourceOf({ bias, cues }: Weights): string {
  const lines = [...Map.groupBy(cues, ([, weight]) => weight)]
    .sort(([a], [b]) => b - a)
    .map(([weight, of]) => [weight.toFixed(1), ...of.map(([cue]) => cue).sort()].join(' '));
  return [
    '// Made by `npm run cues` from libs/engine/instruction-samples: see tools/src/cues.',
    '',
    '/** What a sentence scores without any cue. */',
    `export const bias = ${bias};`,
    '',
    '/** A weight, and the cues that have it: above 0 they speak for a standing instruction, below 0 against it. */',
    'export const weightsByCue = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}

import { CueTable } from './cue-table.js';
import type { OnCue } from './cue.js';
import { readWeights } from './read-weights.js';

/** What the cues of a sentence say. */
export interface Evidence {
  /** The sum of what they weigh. */
  sum: number;
  /** How many of them are known. */
  known: number;
}

/** What none say. */
export const noEvidence: Evidence = { sum: 0, known: 0 };

interface Known {
  table: CueTable;
  weights: Float64Array;
  /** The number of the sentence in which each cue was seen last, so that it counts once in each. */
  seenIn: Float64Array;
}

/** Known cues and what each weighs, as `npm run cues` learnt it. Read when they are first used: an API hardly needs them. */
export class WeighedCues {
  private read: Known | undefined;
  private sentences = 0;

  constructor(
    private readonly weightsByCue: string,
    /** What a sentence scores without any cue. */
    private readonly bias: number,
  ) {}

  private get known(): Known {
    if (this.read) return this.read;
    const cues = readWeights(this.weightsByCue);
    return (this.read = {
      table: new CueTable(cues.map(({ name }) => name)),
      weights: Float64Array.from(cues, ({ weight }) => weight),
      seenIn: new Float64Array(cues.length),
    });
  }

  /** `eachCue` shows the cues of one sentence, in any order, each once or more. */
  evidenceOf(eachCue: (onCue: OnCue) => void): Evidence {
    const { table, weights, seenIn } = this.known;
    const evidence = { sum: 0, known: 0 };
    const sentence = ++this.sentences;
    eachCue((kind, one, two, three, four) => {
      const place = table.placeOf(kind, one, two, three, four);
      if (place < 0 || seenIn[place] === sentence) return;
      seenIn[place] = sentence;
      evidence.sum += weights[place]!;
      evidence.known++;
    });
    return evidence;
  }

  /** The evidence with more cues, which it has not seen. */
  with({ sum, known }: Evidence, more: readonly string[]): Evidence {
    const { table, weights } = this.known;
    const places = more.map((cue) => table.placeOf('', cue)).filter((place) => place >= 0);
    return {
      sum: places.reduce((total, place) => total + weights[place]!, sum),
      known: known + places.length,
    };
  }

  /** Above 0 rather what was looked for than not: the sum of what its cues weigh, by the root of how many there are. */
  scoreOf({ sum, known }: Evidence): number {
    return this.bias + (3 * sum) / Math.sqrt(Math.max(1, known));
  }
}

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

/** Known cues and what each weighs, as `npm run cues` learnt it. */
export class WeighedCues {
  readonly cues: readonly { name: string; weight: number }[];
  private readonly table: CueTable;
  private readonly weights: Float64Array;
  /** The number of the sentence in which each cue was seen last, so that it counts once in each. */
  private readonly seenIn: Float64Array;
  private sentences = 0;

  constructor(
    weightsByCue: string,
    /** What a sentence scores without any cue. */
    private readonly bias: number,
  ) {
    this.cues = readWeights(weightsByCue);
    this.table = new CueTable(this.cues.map(({ name }) => name));
    this.weights = Float64Array.from(this.cues, ({ weight }) => weight);
    this.seenIn = new Float64Array(this.cues.length);
  }

  /** `eachCue` shows the cues of one sentence, in any order, each once or more. */
  evidenceOf(eachCue: (onCue: OnCue) => void): Evidence {
    const evidence = { sum: 0, known: 0 };
    this.sentences++;
    eachCue((...cue) => {
      const place = this.table.placeOf(...cue);
      if (place < 0 || this.seenIn[place] === this.sentences) return;
      this.seenIn[place] = this.sentences;
      evidence.sum += this.weights[place]!;
      evidence.known++;
    });
    return evidence;
  }

  /** The evidence with more cues, which it has not seen. */
  with({ sum, known }: Evidence, more: readonly string[]): Evidence {
    const places = more.map((cue) => this.table.placeOf('', cue)).filter((place) => place >= 0);
    return {
      sum: places.reduce((total, place) => total + this.weights[place]!, sum),
      known: known + places.length,
    };
  }

  /** Above 0 rather what was looked for than not: the sum of what its cues weigh, by the root of how many there are. */
  scoreOf({ sum, known }: Evidence): number {
    return this.bias + (3 * sum) / Math.sqrt(Math.max(1, known));
  }
}

import { cachedByWord } from '../../messages/cached-by-text.js';
import { CueTable } from './cue-table.js';
import type { OnCue, OnWord } from './cue.js';
import { readWeights } from './read-weights.js';

/** The known cues of a sentence, in sum. */
export interface Evidence {
  /** The sum of what they weigh. */
  sum: number;
  /** How many of them are known. */
  known: number;
}

/** The evidence of no cues. */
export const noEvidence: Evidence = { sum: 0, known: 0 };

/** The evidence with the weights of further cues, which it does not have yet. */
export function withWeights({ sum, known }: Evidence, more: readonly number[]): Evidence {
  for (const weight of more) sum += weight;
  return { sum, known: known + more.length };
}

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
    /** Shows the cues of a word, wherever it stands. */
    private readonly eachCueOfWord: (word: string, onCue: OnCue) => void = () => {},
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

  /** The places of the known cues of a word. */
  private readonly placesOfWord = cachedByWord((word): readonly number[] => {
    const { table } = this.known;
    const places: number[] = [];
    this.eachCueOfWord(word, (...cue) => {
      const place = table.placeOf(...cue);
      if (place >= 0) places.push(place);
    });
    return places;
  });

  /** `eachCue` shows the cues of one sentence, in any order, each once or more. */
  evidenceOf(eachCue: (onCue: OnCue, onWord: OnWord) => void): Evidence {
    const { table, weights, seenIn } = this.known;
    const evidence = { sum: 0, known: 0 };
    const sentence = ++this.sentences;
    const see = (place: number): void => {
      if (place < 0 || seenIn[place] === sentence) return;
      seenIn[place] = sentence;
      evidence.sum += weights[place]!;
      evidence.known++;
    };
    eachCue(
      (kind, one, two, three, four) => see(table.placeOf(kind, one, two, three, four)),
      (word) => {
        for (const place of this.placesOfWord(word)) see(place);
      },
    );
    return evidence;
  }

  /** The weights of these cues, without the unknown ones. */
  weightsOf(cues: readonly string[]): number[] {
    const { table, weights } = this.known;
    return cues
      .map((cue) => table.placeOf('', cue))
      .filter((place) => place >= 0)
      .map((place) => weights[place]!);
  }

  /** Returns the score: the sum of the weights by the root of their number. Above 0 they speak for it, below against. */
  scoreOf({ sum, known }: Evidence): number {
    return this.bias + (3 * sum) / Math.sqrt(Math.max(1, known));
  }
}

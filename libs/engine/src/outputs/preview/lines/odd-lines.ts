import { LineShapes, maxRareWords } from './shapes.js';
import { weightsOf } from './weights.js';

/** Up to so many lines of rare shapes are odd. Where there are more, a rare shape is nothing special. */
const few = 24;
/** Words that more of the lines hold than this belong to a shape. Fine shapes first; the coarsest hold no words. */
const wordShares = [0.03, 0.15, 0.5, 1];

/**
 * How odd each line is within its own text: from 0, one of many alike, to 1, the only one of its shape where hardly any
 * is. The same holds of failures: where many lines tell of one, another is nothing odd.
 */
export function oddness(
  texts: readonly string[],
  weights: ArrayLike<number>,
  lineShapes: LineShapes,
): Float32Array {
  const most = new Float32Array(texts.length);
  const sum = new Float32Array(texts.length);
  const isFilled = (i: number): boolean => texts[i] !== '' && texts[i]!.trim() !== '';
  for (const share of wordShares) {
    const shapes = lineShapes.of(weights, share);
    const values = rarity(shapes, isFilled);
    for (let i = 0; i < most.length; i++) {
      if (!isFilled(i)) continue;
      const value = values.get(shapes[i]!)!;
      most[i] = Math.max(most[i]!, value);
      sum[i]! += value;
    }
  }
  // What is odd however one looks at it is odder than what has an unusual word in a usual place.
  return most.map((value, i) => (value + sum[i]! / wordShares.length) / 2);
}

/**
 * The same, where a line is also odd that has more rare words than nearly all others: a sentence of its own among lines
 * of a few statements, whose values may make rare shapes of many of them. Logs of failures are not read like this: what
 * they say but once is more often how the run began than why it ended.
 */
export function oddnessByWords(odd: Float32Array, lineShapes: LineShapes): Float32Array {
  const rareWords = lineShapes.rareWords();
  const newness = newnessOf(rareWords);
  return odd.map((value, i) => Math.max(value, newness[rareWords[i]!]!));
}

/** Of each number of rare words: how few lines have as many. One rare word may be a value. */
function newnessOf(rareWords: Uint8Array): Float32Array {
  const counts = new Uint32Array(maxRareWords + 1);
  for (const rare of rareWords) counts[rare]!++;
  const newness = new Float32Array(maxRareWords + 1);
  let asMany = 0;
  for (let rare = maxRareWords; rare > 1; rare--) {
    asMany += counts[rare]!;
    newness[rare] = Math.min(1, few / Math.max(1, asMany));
  }
  return newness;
}

/** Of each shape: how rare it is, and how few lines are as rare. */
function rarity(shapes: Int32Array, isFilled: (i: number) => boolean): Map<number, number> {
  const counts = new Map<number, number>();
  let filled = 0;
  for (let i = 0; i < shapes.length; i++) {
    if (!isFilled(i)) continue;
    filled++;
    counts.set(shapes[i]!, (counts.get(shapes[i]!) ?? 0) + 1);
  }
  /** Lines of shapes that have so many lines. */
  const linesByCount = new Map<number, number>();
  for (const count of counts.values()) linesByCount.set(count, (linesByCount.get(count) ?? 0) + count);
  const values = new Map<number, number>();
  let asRare = 0;
  for (const count of [...linesByCount.keys()].sort((a, b) => a - b)) {
    asRare += linesByCount.get(count)!;
    values.set(count, Math.min(1, few / asRare) * (1 - Math.log(count) / Math.log(Math.max(2, filled))));
  }
  return new Map([...counts].map(([shape, count]) => [shape, Math.max(0, values.get(count)!)]));
}

export interface OddLine {
  /** From 0. */
  at: number;
  /** How odd it is, from 0 to 1. */
  odd: number;
  /** The same with what it says of a failure, and how near to the end it stands. */
  score: number;
}

/** A line that scores less is an ordinary one. */
const minScore = 0.9;

/** The lines of a text that are worth showing because they are unlike the rest, the best first. */
export function oddLines(
  texts: readonly string[],
  isCandidate: (i: number) => boolean,
  { withHints: weights } = weightsOf(texts),
  odd = oddnessOf(texts, weights),
): OddLine[] {
  const failing = failureRarity(weights);
  const found: OddLine[] = [];
  for (let i = 0; i < texts.length; i++) {
    const weight = weights[i]!;
    const nearEnd = 0.2 * ((i + 1) / texts.length) ** 4;
    const score = odd[i]! * (1 + nearEnd) + weight * Math.max(odd[i]!, failing.get(weight) ?? 0);
    if (score >= minScore && isCandidate(i)) found.push({ at: i, odd: odd[i]!, score });
  }
  return found.sort((a, b) => b.score - a.score || a.at - b.at).slice(0, 200);
}

function oddnessOf(texts: readonly string[], weights: ArrayLike<number>): Float32Array {
  const lineShapes = new LineShapes(texts);
  return oddnessByWords(oddness(texts, weights, lineShapes), lineShapes);
}

/** Of each weight: how few lines tell as much of a failure. */
function failureRarity(weights: Float32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const weight of weights) if (weight > 0) counts.set(weight, (counts.get(weight) ?? 0) + 1);
  let asMuch = 0;
  const values = new Map<number, number>();
  for (const weight of [...counts.keys()].sort((a, b) => b - a)) {
    asMuch += counts.get(weight)!;
    values.set(
      weight,
      Math.min(1, few / asMuch) * Math.max(0, 1 - Math.log(asMuch) / Math.log(Math.max(2, weights.length))),
    );
  }
  return values;
}

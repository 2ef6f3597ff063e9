import { readWeights } from '../cues/read-weights.js';
import type { Gist } from './gist.js';
import { areRelated, pairCues } from './pair-cues.js';
import { bias, weightsByCue } from './weights.js';

const weights = new Map(readWeights(weightsByCue).map(({ name, weight }) => [name, weight]));

/** Longer sentences share words by chance, and no pair that the weights were learnt from is longer. */
const maxWords = 20;

/** By the newer one, then by the older: each fold of a thread weighs the same pairs again. They go with their gists. */
const known = new WeakMap<Gist, WeakMap<Gist, number>>();

/**
 * How much a newer instruction looks like the last word on what an older one is about: above 0 rather so than not.
 * `-Infinity` of two that have nothing in common, or are longer than people's rules are.
 */
export function replacementScore(older: Gist, newer: Gist): number {
  if (Math.max(older.words, newer.words) > maxWords || !areRelated(older, newer)) return -Infinity;
  const scores = known.get(newer) ?? new WeakMap<Gist, number>();
  known.set(newer, scores);
  const score = scores.get(older) ?? weigh(older, newer);
  scores.set(older, score);
  return score;
}

/** The sum of what the cues of the pair weigh, by the root of how many there are. */
function weigh(older: Gist, newer: Gist): number {
  let sum = 0;
  let count = 0;
  for (const cue of pairCues(older, newer)) {
    const weight = weights.get(cue);
    if (weight === undefined) continue;
    sum += weight;
    count++;
  }
  return bias + (3 * sum) / Math.sqrt(Math.max(1, count));
}

import { noEvidence, WeighedCues, withWeights } from '../cues/weighed-cues.js';
import type { Gist } from './gist.js';
import { areRelated, pairCues } from './pair-cues.js';
import { bias, weightsByCue } from './weights.js';

const weighed = new WeighedCues(weightsByCue, bias);

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
  const score = scores.get(older) ?? scoreOf([...pairCues(older, newer)]);
  scores.set(older, score);
  return score;
}

const scoreOf = (cues: readonly string[]): number =>
  weighed.scoreOf(withWeights(noEvidence, weighed.weightsOf(cues)));

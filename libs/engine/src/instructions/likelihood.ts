import { ownCopy } from '../messages/own-copy.js';
import { likelihoodOf } from './classify.js';

/** Likelihoods by sentence: each fold of a thread ranks the same ones again. At most about half a megabyte. */
const known = new Map<string, number>();
const maxKnown = 1_000;

/** How likely a sentence is to be an instruction: above 0 it is rather one than not. */
export function likelihood(sentence: string): number {
  const before = known.get(sentence);
  if (before !== undefined) return before;
  const score = likelihoodOf(sentence);
  if (known.size >= maxKnown) known.clear();
  known.set(ownCopy(sentence), score);
  return score;
}

import { failureWeight, hintsAtFailure } from '../failure/failure-rules.js';
import { matchedLength } from './clean-line.js';

/** What lines weigh by what they say of failures, by line. */
export interface Weights {
  /** By the rules, from 0 to 10. */
  failure: Float32Array;
  /** The same, or what a hint weighs where no rule weighs more. */
  told: Float32Array;
}

const hintWeight = 3;
/** Short lines repeat each other; a text has few of them that do, or the rest do not matter. */
const rememberedLength = 100;
const maxRemembered = 5_000;

/** Weighs each line by its start and its end; what stands between in a long line goes unseen. */
export function weightsOf(said: readonly string[]): Weights {
  const failure = new Float32Array(said.length);
  const told = new Float32Array(said.length);
  const known = new Map<string, readonly [failure: number, told: number]>();
  said.forEach((line, i) => {
    if (line === '') return;
    const weights = known.get(line) ?? weigh(line);
    if (line.length <= rememberedLength && known.size < maxRemembered) known.set(line, weights);
    [failure[i], told[i]] = weights;
  });
  return { failure, told };
}

function weigh(line: string): readonly [failure: number, told: number] {
  if (line.length <= matchedLength) return weighPart(line);
  const start = weighPart(line.slice(0, matchedLength));
  const end = weighPart(line.slice(Math.max(matchedLength, line.length - matchedLength)));
  return [Math.max(start[0], end[0]), Math.max(start[1], end[1])];
}

function weighPart(line: string): readonly [failure: number, told: number] {
  const weight = failureWeight(line);
  return [weight, weight < hintWeight && hintsAtFailure(line) ? hintWeight : weight];
}

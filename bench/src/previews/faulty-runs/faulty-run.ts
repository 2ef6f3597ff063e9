import { randomOf } from '@spillway/testing';

/** A real tool run on a made project with one fault in it. */
export interface FaultyRun {
  name: string;
  /** Files of the project, by path; `random` places the fault. */
  make: (random: Random) => MadeRun;
}

export interface MadeRun {
  files: Record<string, string>;
  command: string;
  args: string[];
  /** What the tool must say of the fault, which is what a reader needs to know. */
  cause: string[];
}

/** Whole numbers below `n`, the same for the same seed. */
export type Random = (n: number) => number;

/** The same places in every run of the bench. */
export function randomFrom(seed: number): Random {
  const random = randomOf(seed);
  return (n) => random.below(n);
}

/** `n` files by a function of their number. */
export const files = (
  n: number,
  path: (i: number) => string,
  text: (i: number) => string,
): Record<string, string> => Object.fromEntries(Array.from({ length: n }, (_, i) => [path(i), text(i)]));

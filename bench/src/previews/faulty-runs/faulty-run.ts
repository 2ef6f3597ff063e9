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

/** A small generator (mulberry32): the same places in every run of the bench. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
}

/** `n` files by a function of their number. */
export const files = (
  n: number,
  path: (i: number) => string,
  text: (i: number) => string,
): Record<string, string> => Object.fromEntries(Array.from({ length: n }, (_, i) => [path(i), text(i)]));

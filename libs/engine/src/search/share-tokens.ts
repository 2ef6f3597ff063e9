/** A hit takes at most this part of what the hits before it left. */
const share = 1 / 4;
/** Most tokens for one hit, and what each of them may take in any case. */
const maxOfHit = 1_000;
export const minOfHit = 60;

/** Tokens for the next hit of an answer: the best hits come first and get the most. */
export const tokensOfHit = (left: number): number =>
  Math.max(minOfHit, Math.min(maxOfHit, Math.floor(left * share)));

/** A shorter context says more about templates than about tokens. */
const minContextTokens = 500;
/** Beyond these the usage is of another request than the context. */
const plausible = { min: 0.4, max: 4 };
/** A ratio that is lower by less than this is the same one, of other content. */
const sameWithin = 0.05;

export type Measured =
  | { ratio: number }
  /** Why a usage says nothing about how the provider counts. */
  | { ignored: 'context_too_small' | 'implausible' };

/**
 * The provider's tokens for one of ours, once it counted `inputTokens` for a context of `contextTokens`. Moves up at
 * once, because a context over the window is refused, and half of the way down, because one odd call should not undo
 * what others said. In steps of a hundredth, rounded up: a settled ratio stays as it is.
 */
export function measureRatio(before: number, inputTokens: number, contextTokens: number): Measured {
  if (contextTokens < minContextTokens) return { ignored: 'context_too_small' };
  const ratio = inputTokens / contextTokens;
  if (ratio < plausible.min || ratio > plausible.max) return { ignored: 'implausible' };
  if (ratio > before) return { ratio: upToHundredth(ratio) };
  if (ratio > before * (1 - sameWithin)) return { ratio: before };
  return { ratio: upToHundredth((before + ratio) / 2) };
}

const upToHundredth = (ratio: number): number => Math.ceil(Number((ratio * 100).toFixed(6))) / 100;

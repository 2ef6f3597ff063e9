/** A shorter context measures the chat template rather than tokens. */
const minContextTokens = 500;
/** Beyond these the usage belongs to another request. */
const plausible = { min: 0.4, max: 4 };
/** A smaller decrease is noise from other content. */
const sameWithin = 0.05;

export type Measured =
  | { ratio: number }
  /** Why a usage cannot be used for the calibration. */
  | { ignored: 'context_too_small' | 'implausible' };

/**
 * The provider's tokens per token of ours, when it counted `inputTokens` for a context of `contextTokens`. Moves up at
 * once, because a context over the window is refused, and half of the way down, because one unusual call should not
 * undo earlier ones. In steps of a hundredth, rounded up, so that a settled ratio stays.
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

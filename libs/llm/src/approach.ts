/**
 * How to ask a model. Repeating the same request would give the same unusable answer, so each attempt uses another
 * approach.
 */
export interface Approach {
  /** The share of the narrative's slot that the model may use. */
  share: number;
  /** The provider enforces the schema; otherwise the prompt asks for it, for providers that refuse the schema. */
  structured: boolean;
  /** Share of the range in one call. */
  partShare: number;
  hint: string | null;
}

const shorter =
  'An earlier answer could not be used: it was cut off, too long or not of the form asked for. Write much less: facts before prose, no repetition.';

const approaches: readonly Approach[] = [
  { share: 1, structured: true, partShare: 1, hint: null },
  { share: 0.7, structured: true, partShare: 0.75, hint: shorter },
  { share: 0.55, structured: false, partShare: 0.5, hint: shorter },
  { share: 0.35, structured: false, partShare: 0.25, hint: shorter },
];

/** Number of approaches. */
export const approachCount = approaches.length;

/** By attempt, from 1. */
export const approachOf = (attempt: number): Approach =>
  approaches[Math.min(Math.max(attempt, 1), approaches.length) - 1]!;

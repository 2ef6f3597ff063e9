import type { SummaryFieldName } from '../compaction/summary.js';

/**
 * All numbers that decide what a summary without a model says. An item competes with those of its own field alone, so
 * weights are compared within a field. They were tuned with `npm run bench fidelity`, which asks summaries for what
 * agents needed later (ADR 47, 110).
 */
export const weights = {
  /** Of `task_overview`. */
  task: {
    /** The message that began the open task: all work is measured by it. It is also kept in any case. */
    began: 3,
    /** A further request of the open task, the oldest one; the newest gets up to `newer` more, as it may correct it. */
    further: 1.5,
    newer: 1,
    /** A request that an earlier summary quoted: newer ones have narrowed it down. */
    earlier: 1.2,
    /** A closed task in which something was changed or refused is asked about again ... */
    closedWithChange: 2,
    /** ... and one of talk alone hardly ever is. */
    closedWithoutChange: 1,
  },
  /** Of `current_state`. */
  state: {
    /** A call that changed something: nothing else says in what state the work is. */
    effect: 1.6,
    /** Where an output is stored: it is read there again, but a search finds it too. */
    storedOutput: 1.3,
    /** A line of an earlier summary: later calls may have changed it again. */
    earlier: 1,
  },
  /** Of `important_discoveries`. */
  discovery: {
    /** A change that was refused, with the reason: without it the agent tries again. */
    refusal: 1.4,
    /** A failure that no later run of the same call has passed ... */
    failure: 1.3,
    /** ... and one that was fixed since: it says what helped. */
    fixedFailure: 0.9,
    /** Each further line of the same failure: the first one names the cause. */
    furtherLine: -0.2,
    /** The least that a line of an earlier summary weighs: it was chosen among many before. */
    earlierAtLeast: 0.6,
  },
  /** Of `next_steps`. */
  next: {
    /** An open item of the newest todo list: the agent's own plan, in its own words. */
    todo: 3,
    /** A call without a result, or a request without an answer: the thread waits for it. */
    unanswered: 2,
    /** What the agent said it would do: it may have done so since. */
    intention: 1,
    /** A plan of an earlier summary is worth nothing once there is a newer one. */
    earlier: 0.1,
  },
  /** Of `context_to_preserve`, which nothing but an earlier summary fills: a model or a caller chose to keep it. */
  preserved: 2,
} as const;

/** The weight of a sentence of the agent by its words: the sum of the lines that apply. */
export const sentenceWeights = {
  /** Any sentence that is no politeness and has words enough to say something. */
  any: 0.4,
  /** Each value in it that can be looked up later, up to a bound: a list of values stands in the facts. */
  value: 0.2,
  maxValues: 0.6,
  /** It gives a reason, a decision or a rule. */
  decision: 0.4,
  /** It reports what came of the work. */
  effect: 0.4,
  /** It announces what the agent does next, which the next message shows. */
  intention: -0.7,
  /** It ends in a colon: what it announces is said elsewhere. */
  announcement: -0.5,
} as const;

/** A sentence that weighs more than this says something, so that it may be quoted with those around it. */
export const tellingAbove = 0.2;
/** A text that weighs no more than this is not worth a line of its own. */
export const worthALineAbove = 0.3;

export type FieldShares = Record<SummaryFieldName, number>;

/**
 * Shares of the narrative, in the order in which fields are filled. What one leaves goes to the ones after it, so the
 * field with most to say comes last.
 */
export const fieldShares: FieldShares = {
  task_overview: 0.24,
  current_state: 0.16,
  next_steps: 0.08,
  context_to_preserve: 0.05,
  important_discoveries: 0.47,
};
/** Where tasks were closed: their lines say what became of them, and take what the fields of the open one leave. */
export const fieldSharesWithClosedTasks: FieldShares = {
  current_state: 0.1,
  next_steps: 0.08,
  context_to_preserve: 0.05,
  important_discoveries: 0.22,
  task_overview: 0.55,
};
/**
 * The same where somebody chose lines to preserve: what these leave goes to the fields after them, so that the larger
 * share costs nothing where they are short. The field that comes last gives it.
 */
export function withPreservedLines(shares: FieldShares): FieldShares {
  const last = Object.keys(shares).at(-1) as SummaryFieldName;
  const more = preservedShare - shares.context_to_preserve;
  return { ...shares, context_to_preserve: preservedShare, [last]: shares[last] - more };
}
const preservedShare = 0.2;

/** How items of a field are chosen by their weights. */
export const choice = {
  /** How much more the newest item weighs than the oldest: of two alike the newer one holds. */
  recency: 0.3,
  /** Messages after which the line of a closed task weighs half: the longer ago, the less it is asked about. */
  closedHalfLife: 400,
  /** How much a short item is preferred: 0 not at all, 1 by its tokens. Several short ones say more than a long one. */
  brevity: 0.6,
  /** An item with a smaller share of words that no chosen one says repeats what was said. */
  minNewWords: 0.4,
  /** ... unless it has as many codes and paths that none of them says. */
  minNewNames: 2,
  /** Items in a row that may be too long for what is left before the rest is not tried any more. */
  maxMisses: 30,
} as const;

import type { CountTokens } from '../tokens/counter.js';
import { factsField, type SummaryFields } from './summary.js';

/** What a summary's tokens are for: the user's standing instructions, facts letter by letter, and what was written. */
export const slotNames = ['instructions', 'facts', 'narrative'] as const;
export type SlotName = (typeof slotNames)[number];

/** Tokens by slot. */
export type Slots = Record<SlotName, number>;

/** The facts' share of what the instructions leave: code quotes best, a model writes best. */
const factsShares = { extractive: 0.6, llm: 0.3 } as const;
/** The same where tasks were closed: their lines say which values they were about and what came of them. */
const factsShareOfSeveral = 0.35;
/** Instructions never take more than this share. */
const maxInstructionsShare = 0.4;

export type SummaryMethod = keyof typeof factsShares;

/**
 * The budget of each slot. What one leaves goes to the others: instructions take what they need up to a bound, the
 * facts have what the narrative leaves, and the narrative what the facts leave.
 */
export function slotsOf(
  maxTokens: number,
  {
    method,
    instructions = 0,
    hasClosedTasks = false,
  }: { method: SummaryMethod; instructions?: number; hasClosedTasks?: boolean },
): Slots {
  const first = Math.min(instructions, Math.floor(maxTokens * maxInstructionsShare));
  const share = hasClosedTasks ? factsShareOfSeveral : factsShares[method];
  const facts = Math.floor((maxTokens - first) * share);
  return { instructions: first, facts, narrative: maxTokens - first - facts };
}

/** Tokens that a summary's fields take by slot. Titles and the note around them are not counted. */
export function slotsUsed(fields: SummaryFields, count: CountTokens, instructions = 0): Slots {
  const tokens = (text: string): number => (text === '' ? 0 : count(text));
  const { [factsField]: facts = '', ...narrative } = fields;
  const written = Object.values(narrative).reduce((sum, text) => sum + tokens(text), 0);
  return { instructions, facts: tokens(facts), narrative: written };
}

import type { CountTokens } from '../tokens/counter.js';
import { factsField, type SummaryFields } from './summary.js';

/** The parts of a summary that share its tokens: standing instructions, facts, and the narrative of the other fields. */
export type SlotName = 'instructions' | 'facts' | 'narrative';

/** Tokens by slot. */
export type Slots = Record<SlotName, number>;

/** The share of the facts by who writes the narrative: code quotes best, a model writes best. */
const factsShares = {
  extractive: 0.6,
  /** Lines of closed tasks say which values they were about and what came of them. */
  extractiveWithClosedTasks: 0.35,
  llm: 0.3,
} as const;

/**
 * How the tokens of a summary's fields are divided. What the facts leave goes to the narrative, and the other way round.
 * Instructions stand beside them, in room of their own: see `slotRoom`.
 */
export function slotsOf(
  maxTokens: number,
  narrativeBy: keyof typeof factsShares,
): Pick<Slots, 'facts' | 'narrative'> {
  const facts = Math.floor(maxTokens * factsShares[narrativeBy]);
  return { facts, narrative: maxTokens - facts };
}

/** Tokens that the facts may take: what the narrative leaves. */
export const roomForFacts = (maxTokens: number, fields: SummaryFields, count: CountTokens): number =>
  Math.max(0, maxTokens - slotsUsed(fields, count).narrative);

/** Tokens that a summary's fields take by slot. Titles and the note around them are not counted. */
export function slotsUsed(fields: SummaryFields, count: CountTokens, instructions = 0): Slots {
  const tokens = (text: string): number => (text === '' ? 0 : count(text));
  const { [factsField]: facts = '', ...narrative } = fields;
  const written = Object.values(narrative).reduce((sum, text) => sum + tokens(text), 0);
  return { instructions, facts: tokens(facts), narrative: written };
}

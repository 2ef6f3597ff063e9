import { slotsOf, slotsUsed, type Slots, type SummaryFields } from '@spillway/engine';
import type { SummaryRow, ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

export interface SummarySlots {
  /** Tokens that a summary of this thread may take now. */
  maxTokens: number;
  budget: Slots;
  used: Slots;
  /** What is left of all slots together: what one leaves goes to the others. */
  free: number;
}

/** How much of a thread's summary budget each of its summaries takes, by slot. */
export async function slotsOfSummaries(
  rt: Runtime,
  thread: ThreadRow,
  summaries: readonly SummaryRow[],
): Promise<SummarySlots[]> {
  const { budget, count } = await rt.settings.ofRow(thread);
  const maxTokens = budget.summaryTokens;
  return summaries.map(({ fields, method }) => {
    const used = slotsUsed(JSON.parse(fields) as SummaryFields, count);
    const total = used.instructions + used.facts + used.narrative;
    const slots = slotsOf(maxTokens, {
      method: method === 'llm' ? 'llm' : 'extractive',
      instructions: used.instructions,
    });
    return { maxTokens, budget: slots, used, free: Math.max(0, maxTokens - total) };
  });
}

import { namesClosedTasks, slotsOf, slotsUsed, type Slots, type SummaryFields } from '@spillway/engine';
import type { SummaryRow, ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';

export interface SummarySlots {
  /** Tokens that a summary of this thread may take now, without standing instructions. */
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
  return summaries.map(({ fields: json, method, text }) => {
    const fields = JSON.parse(json) as SummaryFields;
    const block = instructionBlock.exec(text)?.[1];
    const used = slotsUsed(fields, count, block ? count(block) : 0);
    return {
      maxTokens,
      // Instructions take what they need, beside the other two.
      budget: { ...slotsOf(maxTokens, narrativeBy(method, fields)), instructions: used.instructions },
      used,
      free: Math.max(0, maxTokens - used.facts - used.narrative),
    };
  });
}

const narrativeBy = (method: SummaryRow['method'], fields: SummaryFields): Parameters<typeof slotsOf>[1] => {
  if (method !== 'extractive') return 'llm';
  return namesClosedTasks(fields) ? 'extractiveWithClosedTasks' : 'extractive';
};

/** Only the head of a summary can hold it: no field can open one. */
const instructionBlock = /<standing_instructions>\n([^]*?)\n<\/standing_instructions>/;

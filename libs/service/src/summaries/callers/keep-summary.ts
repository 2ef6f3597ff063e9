import type { CompactionPlan, SummaryFields } from '@spillway/engine';
import type { Outcome } from '@spillway/jobs';
import type { CallersSummary, ThreadRow } from '@spillway/store';
import type { ThreadPlan } from '../../compaction/plan-thread.js';
import { putInPlace } from '../../compaction/put-in-place.js';
import { besideOf } from '../../fidelity/fidelity.js';
import type { Runtime } from '../../runtime.js';
import { draftSummary } from '../draft-summary.js';
import { factsOfRange, fieldTokens } from '../summarize-range.js';

/** A plan that ends where the caller's own summary does. */
interface KeptPlan extends Pick<ThreadPlan, 'settings' | 'instructions'> {
  plan: CompactionPlan;
  kept: CallersSummary;
}

/**
 * Puts a caller's own summary in place again, word for word, in a new chain: the messages beside it and the standing
 * instructions at its head are those of now. No model is called, and its size is not compared: a caller wrote it, and
 * a pin of what it covers may be worth more than it saves.
 */
export async function keepSummary(
  rt: Runtime,
  row: ThreadRow,
  { plan, settings, instructions, kept }: KeptPlan,
): Promise<Outcome> {
  const fields = JSON.parse(kept.fields) as SummaryFields;
  const beside = await besideOf(rt, row, plan);
  const facts = await factsOfRange(rt, { row, plan, settings });
  const maxTokens = fieldTokens(plan.summaryTokens);
  const summary = draftSummary(
    { fields, method: 'caller', model: null, seenSeq: kept.seenSeq },
    { plan, settings, instructions, maxTokens, beside, facts },
  );
  const made = { plan, settings, summary, instructions, newChain: true };
  return putInPlace(rt, row, { ...made, author: kept.author, restoredFrom: kept.generation });
}

import { addFacts, slotsUsed, type CompactionPlan, type SummaryFields } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import { seqsThrough } from '../messages/entries.js';
import type { ThreadSettings } from '../policies/settings.js';
import type { Runtime } from '../runtime.js';
import { needsAfter } from './needs-after.js';
import type { Prepared } from './prepared-summary.js';
import { fieldTokens } from './summarize-range.js';

/** How often a value was used that is needed again: as one that the agent passes to a tool. */
const usesOfNeed = 3;

/**
 * The fields of a prepared summary, compared with the messages that came since it was made: values that the agent then
 * used, and that it has from the folded messages, are among the facts, as far as their slot has room.
 */
export async function completePrepared(
  rt: Runtime,
  row: ThreadRow,
  { fields, toSeq, asOfSeq, maxTokens }: Prepared,
  { carried }: CompactionPlan,
  { count }: ThreadSettings,
): Promise<SummaryFields> {
  const needs = await needsAfter(rt, {
    projectId: row.projectId,
    threadUid: row.uid,
    toSeq,
    verbatim: [...seqsThrough(row.leadingThrough), ...carried],
    afterSeq: asOfSeq,
    lastSeq: row.nextSeq - 1,
  });
  const entries = needs.map(({ value, label, seq }) => ({ value, label, seq, uses: usesOfNeed }));
  const room = Math.max(0, fieldTokens(maxTokens) - slotsUsed(fields, count).narrative);
  return addFacts(fields, entries, { room, count, prefer: 'added' });
}

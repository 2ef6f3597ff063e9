import { reduceEntries, weigh } from '@spillway/engine';
import { readEntries, restore, type SummaryRow, type ThreadRow } from '@spillway/store';
import { entryOf, seqsThrough } from '../messages/entries.js';
import { heldIn } from '../messages/holds.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';

/** An older generation and what the thread weighs under it; without a summary, the original messages. */
export interface OlderGeneration {
  thread: ThreadRow;
  settings: ThreadSettings;
  summary: SummaryRow | null;
  liveTokens: number;
}

/**
 * Weighs a thread under an older summary, up to a message. Messages that it does not cover are shown verbatim again.
 */
export async function weighUnder(
  rt: Runtime,
  thread: ThreadRow,
  summary: SummaryRow | null,
  through = thread.headSeq,
): Promise<OlderGeneration> {
  const settings = await rt.settings.ofRow(thread);
  const rows = await readEntries(rt.store.query, {
    projectId: thread.projectId,
    threadUid: thread.uid,
    after: summary?.toSeq ?? 0,
    through,
    also: summary ? [...seqsThrough(Math.min(thread.leadingThrough, through)), ...summary.carried] : [],
  });
  const rules = {
    // Every image counts until the thread is weighed by its next context.
    maxImages: Infinity,
    clearedThrough: summary?.clearedThrough ?? 0,
    holds: heldIn(summary?.holds ?? null),
  };
  const { entries } = reduceEntries(rows.map(entryOf), rules);
  const messages = entries.reduce((sum, entry) => sum + weigh(entry, settings.budget.limit), 0);
  const fixed = settings.baseTokens + (summary?.tokens ?? 0);
  return { thread, settings, summary, liveTokens: fixed + messages };
}

/**
 * Makes it the active one. Returns the thread's generation, or undefined when the thread changed since it was weighed.
 */
export const activate = (
  rt: Runtime,
  { thread, summary, liveTokens }: OlderGeneration,
  undo: boolean,
): Promise<number | undefined> =>
  restore(rt.store.query, {
    projectId: thread.projectId,
    threadId: thread.id,
    generation: summary?.generation ?? 0,
    undo,
    liveTokens,
    contentVersion: thread.contentVersion,
    nextSeq: thread.nextSeq,
    activeGeneration: thread.generation,
    policyVersion: thread.policyVersion,
  });

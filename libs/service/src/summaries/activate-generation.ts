import { restore, type SummaryRow, type ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { liveTokensUnder } from '../threads/live-tokens.js';

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
  // Every image counts until the thread is weighed by its next context.
  const shown = { settings, through, maxImages: Infinity };
  return { thread, settings, summary, liveTokens: await liveTokensUnder(rt, thread, summary, shown) };
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

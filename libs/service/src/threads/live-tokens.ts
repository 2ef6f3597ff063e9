import { reduceEntries, weigh } from '@spillway/engine';
import { readEntries, type SummaryRow, type ThreadRow } from '@spillway/store';
import { entryOf, seqsThrough } from '../messages/entries.js';
import { heldIn } from '../messages/holds.js';
import type { ThreadSettings } from '../policies/settings.js';
import type { Runtime } from '../runtime.js';

type WeighedSummary = Pick<SummaryRow, 'toSeq' | 'tokens' | 'carried' | 'clearedThrough' | 'holds'>;

interface Weighing {
  settings: ThreadSettings;
  /** The newest message that counts. */
  through: number;
  /** Images beyond these, the oldest first, count as left out. */
  maxImages: number;
}

/**
 * The live tokens that a thread has under a summary: its system prompt and tools, the summary, the messages after it, and
 * those that stay beside it. Without a summary, all messages.
 */
export async function liveTokensUnder(
  rt: Runtime,
  thread: Pick<ThreadRow, 'projectId' | 'uid' | 'leadingThrough'>,
  summary: WeighedSummary | null,
  { settings, through, maxImages }: Weighing,
): Promise<number> {
  const rows = await readEntries(rt.store.query, {
    projectId: thread.projectId,
    threadUid: thread.uid,
    after: summary?.toSeq ?? 0,
    through,
    also: summary ? [...seqsThrough(Math.min(thread.leadingThrough, through)), ...summary.carried] : [],
  });
  const { entries } = reduceEntries(rows.map(entryOf), {
    maxImages,
    clearedThrough: summary?.clearedThrough ?? 0,
    holds: heldIn(summary?.holds ?? null),
  });
  const messages = entries.reduce((sum, entry) => sum + weigh(entry, settings.budget.limit), 0);
  return settings.baseTokens + (summary?.tokens ?? 0) + messages;
}

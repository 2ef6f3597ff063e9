import type { Entry, PiMessage } from './pi.js';

/**
 * Returns the messages of a call with those that a compaction of pi took out of them in place of its summary. The thread
 * has a summary of its own, and only a history with its beginning tells that the user went back.
 */
export function wholeHistory(messages: readonly PiMessage[], branch: readonly Entry[]): PiMessage[] {
  const visible = messages.filter(({ role }) => role !== 'system');
  const compactedAt = branch.findLastIndex(({ type }) => type === 'compaction');
  if (visible[0]?.role !== 'compactionSummary' || compactedAt < 0) return visible;
  const { firstKeptEntryId } = branch[compactedAt]!;
  const keptAt = branch.findIndex(({ id }) => id === firstKeptEntryId);
  const before = branch.slice(0, keptAt < 0 ? compactedAt : keptAt);
  return [...before.flatMap((entry) => messageOf(entry) ?? []), ...visible.slice(1)];
}

function messageOf({ type, message, content, summary }: Entry): PiMessage | null {
  if (type === 'message') return message ?? null;
  if (type === 'custom_message' && content !== undefined) return { role: 'custom', content, timestamp: 0 };
  if (type === 'branch_summary' && summary !== undefined)
    return { role: 'branchSummary', summary, timestamp: 0 };
  return null;
}

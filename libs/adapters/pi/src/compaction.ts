import { identityOf } from '@spillway/client/agent';
import type { Context } from '@spillway/client';
import { modelMessage } from './messages.js';
import type { Compaction, Entry } from './pi.js';

/**
 * Returns the thread's summary as a compaction of pi, with the entry at which the messages behind it begin. Null when the
 * thread has no summary, or when the session does not have that entry: then pi makes its own.
 */
export function compactionOf(
  context: Pick<Context, 'messages' | 'parts'>,
  entries: readonly Entry[],
  tokensBefore: number,
): Compaction | null {
  const { messages, parts } = context;
  // Parts have the messages of the system prompt too, which the format puts elsewhere.
  const shown = parts.slice(parts.length - messages.length);
  const summaryAt = shown.findIndex(({ kind }) => kind === 'summary');
  const keptAt = shown.findIndex(({ kind, seq }, i) => i > summaryAt && kind === 'recent' && seq !== null);
  if (summaryAt < 0 || keptAt < 0) return null;
  const kept = identityOf(messages[keptAt]!);
  const entry = entries.findLast(({ message }) => {
    const own = message && modelMessage(message);
    return own ? identityOf(own) === kept : false;
  });
  const summary = textOf(messages[summaryAt]!);
  return entry ? { summary, firstKeptEntryId: entry.id, tokensBefore } : null;
}

function textOf(message: object): string {
  const { content } = message as { content: unknown };
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

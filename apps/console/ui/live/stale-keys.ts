import type { QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from './event-source';

/** The first parts of the keys that events make stale. A test requires an event for each. */
export const liveNames = [
  'thread',
  'threads',
  'events',
  'usage',
  'attention',
  'queue',
  'compactions',
  'project-compactions',
  'summaries',
  'summary',
  'instructions',
  'outputs',
  'output',
  'messages',
  'context',
  'search',
  'excerpt',
  'answered-call',
] as const;
/** The key of a query that is kept up to date. */
export type LiveKey = readonly [(typeof liveNames)[number], ...unknown[]];

/**
 * Which queries an event makes stale, by the beginning of their keys. The one place that knows:
 *
 * | query                                                     | asked for again on                                   |
 * | --------------------------------------------------------- | ---------------------------------------------------- |
 * | ['thread', id]                                            | every event of the thread                            |
 * | ['events', id]                                            | every event of the thread                            |
 * | ['threads', …], ['usage', …], ['attention']               | every event of any thread                            |
 * | ['summaries', id, …]                                      | context.summarized, summary.*, thread.changed, thread.rewound |
 * | ['instructions', id, …]                                   | the same, and message.recorded                       |
 * | ['summary', id, …]                                        | the same without summary.rejected                    |
 * | ['compactions', id], ['project-compactions', …], ['queue', …] | compaction.*, context.*, summary.*, thread.changed, thread.rewound, thread.erased |
 * | ['outputs', id], ['output', …]                            | output.*                                             |
 * | ['messages', id, …], ['context', id, …], ['search', id, …], ['excerpt', id, …], ['answered-call', …] | thread.changed (a message was erased), thread.rewound, output.deleted |
 * | ['webhooks', …]                                           | none: its page asks by the clock                     |
 *
 * New messages make neither ['context', id, …] nor ['messages', id, …] stale, because these follow the thread's row,
 * which every event has asked for again: the context of now has the row's version in its key, and the newest block of
 * messages is asked for when recorded_seq moves.
 *
 * ['facts', id, …] and ['facts-summary', id, …] are not here: a summary that was made from an erased message is
 * withdrawn with it, and its facts, which the API then refuses, are shown no more.
 */
export function staleKeys({ type, thread_id: id }: Pick<LiveEvent, 'type' | 'thread_id'>): LiveKey[] {
  const keys: LiveKey[] = [['thread', id], ['events', id], ['threads'], ['usage'], ['attention']];
  const summary = type.startsWith('summary.');
  // Of messages that are there already.
  const changed = type === 'thread.changed' || type === 'thread.rewound';
  const compaction = type.startsWith('compaction.') || type.startsWith('context.') || summary;
  if (compaction || changed || type === 'thread.erased') {
    keys.push(['compactions', id], ['project-compactions'], ['queue']);
  }
  const summarized = summary || type === 'context.summarized' || changed;
  if (summarized) keys.push(['summaries', id]);
  if (summarized || type === 'message.recorded') keys.push(['instructions', id]);
  // A rejected summary is deleted: whoever looks at it must not ask for it again.
  if (summarized && type !== 'summary.rejected') keys.push(['summary', id]);
  if (type.startsWith('output.')) keys.push(['outputs', id], ['output']);
  if (changed || type === 'output.deleted') {
    keys.push(['messages', id], ['context', id], ['search', id], ['excerpt', id], ['answered-call']);
  }
  return keys;
}

/**
 * Keys that a busy project makes stale all the time: lists of many threads, and a thread's instructions, for which the
 * API reads all messages that no summary covers.
 */
export const isRateLimited = (key: QueryKey): boolean => key.length === 1 || key[0] === 'instructions';

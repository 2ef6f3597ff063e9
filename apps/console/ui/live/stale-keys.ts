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
 * | ['summaries', id, …], ['instructions', id, …]             | context.summarized, summary.*, thread.changed, thread.rewound |
 * | ['summary', id, …]                                        | the same without summary.rejected                    |
 * | ['compactions', id], ['project-compactions', …], ['queue', …] | compaction.*, context.*, summary.*, thread.changed, thread.rewound, thread.erased |
 * | ['outputs', id], ['output', …]                            | output.*                                             |
 * | ['messages', id, …]                                       | thread.changed (a message was erased), thread.rewound, output.deleted |
 * | ['webhooks', …]                                           | none: its page asks by the clock                     |
 *
 * Two are not here because they follow the thread's row, which every event has asked for again: ['context', id, …] has
 * the row's version in its key, and the newest block of ['messages', id, …] is asked for when recorded_seq moves.
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
  if (summary || type === 'context.summarized' || changed) keys.push(['summaries', id], ['instructions', id]);
  // A rejected summary is deleted: whoever looks at it must not ask for it again.
  if ((summary && type !== 'summary.rejected') || type === 'context.summarized' || changed)
    keys.push(['summary', id]);
  if (type.startsWith('output.')) keys.push(['outputs', id], ['output']);
  if (changed || type === 'output.deleted') keys.push(['messages', id]);
  return keys;
}

/** Lists of many threads: a busy project would refetch them all the time. */
export const isOfMany = (key: QueryKey): boolean => key.length === 1;

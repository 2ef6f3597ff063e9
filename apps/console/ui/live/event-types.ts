import type { Schemas } from '@spillway/client';

/** What the API tells of, in the order in which it happens to a thread. A type that is new has to be put here. */
export const eventTypes = Object.keys({
  'message.recorded': true,
  'output.offloaded': true,
  'context.overflow': true,
  'compaction.started': true,
  'context.summarized': true,
  'compaction.failed': true,
  'compaction.parked': true,
  'output.deleted': true,
  'thread.changed': true,
  'thread.erased': true,
} satisfies Record<Schemas['EventType'], true>) as Schemas['EventType'][];

import type { Schemas } from '@spillway/client';

/** Event types in the order in which they happen to a thread. New types must be added here. */
export const eventTypes = Object.keys({
  'thread.forked': true,
  'message.recorded': true,
  'output.offloaded': true,
  'context.overflow': true,
  'compaction.started': true,
  'summary.prepared': true,
  'summary.proposed': true,
  'context.summarized': true,
  'summary.approved': true,
  'summary.rejected': true,
  'summary.undone': true,
  'compaction.failed': true,
  'compaction.parked': true,
  'output.deleted': true,
  'thread.rewound': true,
  'thread.changed': true,
  'thread.erased': true,
} satisfies Record<Schemas['EventType'], true>) as Schemas['EventType'][];

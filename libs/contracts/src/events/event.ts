import { z } from 'zod';
import { listOf, page } from '../list.js';
import { clientId, timestamp } from '../text.js';

/** Event types. An event contains ids, numbers and words of ours, never content of a thread. */
export const eventType = z
  .enum([
    'message.recorded',
    'output.offloaded',
    'context.overflow',
    'compaction.started',
    'summary.prepared',
    'summary.proposed',
    'context.summarized',
    'summary.approved',
    'summary.rejected',
    'summary.undone',
    'compaction.failed',
    'compaction.parked',
    'output.deleted',
    'thread.rewound',
    'thread.forked',
    'thread.changed',
    'thread.erased',
  ])
  .meta({ id: 'EventType', description: 'What happened; docs/events.md says when each is published.' });
export type EventType = z.infer<typeof eventType>;

/** A position in the order of events: the transaction and the event's own number. */
export const eventId = z.string().regex(/^\d{1,18}-\d{1,18}$/, 'must be the id of an event');

export const event = z
  .object({
    id: z.string().describe('Its position in the order of events.'),
    type: eventType,
    timestamp: timestamp.describe('When it happened.'),
    thread_id: z.string().describe('The thread that changed.'),
    data: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('Ids, numbers and fixed words by name; they depend on the type.'),
  })
  .meta({ id: 'Event', description: 'A change of a thread, without its content.' });

export const eventList = listOf(event, 'EventList');
export const threadEventsQuery = z.strictObject(page);

export const eventStreamQuery = z.strictObject({
  thread: clientId.optional().describe('Only events of this thread.'),
  last_event_id: eventId
    .optional()
    .describe('Same as the header Last-Event-ID, for an EventSource that is opened again.'),
});

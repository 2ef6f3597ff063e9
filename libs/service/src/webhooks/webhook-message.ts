import { randomUUID } from 'node:crypto';
import type { EventRow, NewDelivery } from '@spillway/store';
import { publishedEvent } from '../events/event.js';

/** An event as it is sent: thin, as Standard Webhooks advises; what it is about is one GET away. */
export function webhookMessage(row: EventRow): NewDelivery {
  const { id, type, timestamp, thread_id, data } = publishedEvent(row);
  return {
    messageId: `evt_${id}`,
    type,
    payload: JSON.stringify({ type, timestamp, data: { thread_id, ...data } }),
  };
}

/** What a person sends to see whether a receiver is there. */
export const testMessage = (): NewDelivery => ({
  messageId: `test_${randomUUID()}`,
  type: 'webhook.test',
  payload: JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} }),
});

import { randomUUID } from 'node:crypto';
import type { EventRow, NewDelivery } from '@spillway/store';
import { publishedEvent } from '../events/event.js';

/** An event in its sent form: thin, as Standard Webhooks advises; a GET returns the details. */
export function webhookMessage(row: EventRow): NewDelivery {
  const { id, type, timestamp, thread_id, data } = publishedEvent(row);
  return {
    messageId: `evt_${id}`,
    type,
    payload: JSON.stringify({ type, timestamp, data: { thread_id, ...data } }),
  };
}

/** The event that tests a receiver. */
export const testMessage = (): NewDelivery => ({
  messageId: `test_${randomUUID()}`,
  type: 'webhook.test',
  payload: JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} }),
});

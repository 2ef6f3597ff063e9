import { z } from 'zod';
import { whole } from '../quantities.js';
import { eventType } from './event.js';
import { listOf, page } from '../list.js';
import { plainText, timestamp } from '../text.js';

const url = plainText(2_000)
  .min(1)
  .describe('An https URL of a public host. The operator can allow private hosts and http to them.');
const types = z.array(eventType).max(eventType.options.length).describe('Event types to send; empty: all.');
const description = plainText(200).describe('A note of your own.');

export const webhookCreate = z
  .strictObject({ url, types: types.optional(), description: description.optional() })
  .meta({ id: 'WebhookCreate' });

export const webhookPatch = z
  .strictObject({
    url,
    types,
    description,
    enabled: z.boolean().describe('false: no events are sent; true: new ones are sent again.'),
  })
  .partial()
  .meta({ id: 'WebhookPatch' });

export const webhook = z
  .object({
    id: z.uuid().describe('Unique in the service.'),
    url: z.string().describe('Where deliveries are posted.'),
    description: z.string().describe('A note of your own.'),
    types: z.array(eventType).describe('Event types that are sent; empty: all.'),
    enabled: z.boolean().describe('Events are sent.'),
    disabled_at: timestamp.nullable().describe('Since when it is disabled; null while it is enabled.'),
    disabled_reason: z
      .enum(['by_hand', 'gone', 'failing'])
      .nullable()
      .describe('gone: it answered 410. failing: no delivery succeeded for days.'),
    failing_since: timestamp.nullable().describe('Since when no delivery succeeded.'),
    previous_secret_until: timestamp
      .nullable()
      .describe('Until then the secret that was replaced signs too; null when none does.'),
    created_at: timestamp.describe('When it was created.'),
  })
  .meta({ id: 'Webhook', description: 'Where events are sent, without its secret.' });

export const webhookCreated = webhook
  .extend({ secret: z.string().describe('Signs deliveries; shown only now.') })
  .meta({ id: 'WebhookCreated' });

/** How long the replaced secret still signs, in ms; at most a week. */
export const secretRotate = z
  .strictObject({
    overlap_ms: z
      .number()
      .int()
      .min(0)
      .max(604_800_000)
      .optional()
      .describe('How long the old secret also signs, in ms. Default: a day.'),
  })
  .meta({ id: 'WebhookSecretRotate' });

export const webhookRotated = webhookCreated
  .extend({ previous_secret_until: timestamp.describe('Until then both secrets sign.') })
  .meta({ id: 'WebhookRotated' });

export const webhookList = listOf(webhook, 'WebhookList');

export const delivery = z
  .object({
    id: z.uuid().describe('Unique in the service.'),
    message_id: z.string().describe('The header webhook-id: the same for every attempt.'),
    type: z.union([eventType, z.literal('webhook.test')]).describe('The type of the event.'),
    state: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('pending: waits for its next attempt; delivered: answered with 2xx; failed: given up.'),
    attempts: whole.describe('How often it was sent.'),
    next_attempt_at: timestamp.nullable().describe('When it is sent next; null unless it is pending.'),
    last_status: whole.nullable().describe('HTTP status of the last answer; null without an answer.'),
    last_error: z.string().nullable().describe('Why the last attempt failed; null when it did not.'),
    last_response: z.string().nullable().describe('The start of its response.'),
    last_ms: whole.nullable().describe('How long the last attempt took; null before the first.'),
    created_at: timestamp.describe('When it was created.'),
    ended_at: timestamp.nullable().describe('When it was delivered or given up; null while it is pending.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event for one webhook.' });

export const deliveryList = listOf(delivery, 'WebhookDeliveryList');

export const deliveriesQuery = z.strictObject({
  ...page,
  state: z.enum(['pending', 'delivered', 'failed']).optional().describe('Only deliveries in this state.'),
});

export const webhookId = z.uuid();

import { z } from 'zod';
import { eventType } from './event.js';
import { listOf, page } from '../list.js';
import { plainText, timestamp } from '../text.js';

const url = plainText(2_000)
  .min(1)
  .describe('An https URL of a public host. The operator can allow private hosts and http to them.');
const types = z.array(eventType).max(eventType.options.length).describe('Event types to send; empty: all.');
const description = plainText(200);

export const webhookCreate = z
  .strictObject({ url, types: types.optional(), description: description.optional() })
  .meta({ id: 'WebhookCreate' });

export const webhookPatch = z
  .strictObject({ url, types, description, enabled: z.boolean() })
  .partial()
  .meta({ id: 'WebhookPatch' });

export const webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string(),
    types: z.array(eventType),
    enabled: z.boolean(),
    disabled_at: timestamp.nullable(),
    disabled_reason: z
      .enum(['by_hand', 'gone', 'failing'])
      .nullable()
      .describe('gone: it answered 410. failing: no delivery succeeded for days.'),
    failing_since: timestamp.nullable().describe('Since when no delivery succeeded.'),
    created_at: timestamp,
  })
  .meta({ id: 'Webhook' });

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
    id: z.uuid(),
    message_id: z.string().describe('The header webhook-id: the same for every attempt.'),
    type: z.union([eventType, z.literal('webhook.test')]),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.number().int(),
    next_attempt_at: timestamp.nullable(),
    last_status: z.number().int().nullable(),
    last_error: z.string().nullable(),
    last_response: z.string().nullable().describe('The start of its response.'),
    last_ms: z.number().int().nullable(),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const deliveryList = listOf(delivery, 'WebhookDeliveryList');

export const deliveriesQuery = z.strictObject({
  ...page,
  state: z.enum(['pending', 'delivered', 'failed']).optional(),
});

export const webhookId = z.uuid();

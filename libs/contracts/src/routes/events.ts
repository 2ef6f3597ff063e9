import { z } from 'zod';
import { eventList, eventStreamQuery, threadEventsQuery } from '../events/event.js';
import {
  deliveriesQuery,
  delivery,
  deliveryList,
  secretRotate,
  webhook,
  webhookCreate,
  webhookCreated,
  webhookId,
  webhookList,
  webhookPatch,
  webhookRotated,
} from '../events/webhook.js';
import { wholeList } from '../list.js';
import { none, threadId, type Route } from './route.js';

const ofWebhook = z.object({ id: webhookId.describe('The id of the webhook.') });

/** Live events. */
export const eventsRoutes: Record<string, Route> = {
  'GET /v1/events': {
    id: 'streamEvents',
    scope: 'context:read',
    summary: 'Events as they happen (server-sent events); goes on after Last-Event-ID',
    description:
      'Streams events of the project, or of one thread, as server-sent events. A client that reconnects ' +
      'with `Last-Event-ID` gets everything after it; events are kept for seven days. A key has at most ' +
      'eight open streams.',
    query: eventStreamQuery,
    example: { query: { thread: 'support-42' } },
    answers: { 200: 'text/event-stream' },
  },
  'GET /v1/threads/{id}/events': {
    id: 'listThreadEvents',
    scope: 'context:read',
    summary: 'Events of a thread, newest first',
    description:
      'Lists the events of a thread of the last seven days, newest first. Events have ids, numbers and ' +
      'fixed words, never content.',
    params: threadId,
    query: threadEventsQuery,
    example: { query: { limit: 50 } },
    answers: { 200: eventList },
  },
  'GET /v1/webhooks': {
    id: 'listWebhooks',
    scope: 'admin',
    summary: 'Where events are sent',
    description:
      'Lists all webhooks of the project, the newest first; there are at most twenty. Secrets are never shown ' +
      'again.',
    query: wholeList,
    answers: { 200: webhookList },
  },
  'POST /v1/webhooks': {
    id: 'createWebhook',
    scope: 'admin',
    summary: 'Send events to a URL, signed as Standard Webhooks says',
    description:
      'Creates a webhook that receives events from now on, at least once each and signed as Standard ' +
      'Webhooks says. The secret is shown once. The URL must be https and public unless the operator allows ' +
      'its host.',
    body: webhookCreate,
    example: {
      body: {
        url: 'https://example.com/spillway',
        types: ['context.summarized', 'compaction.parked'],
        description: 'On call',
      },
    },
    answers: { 201: webhookCreated },
  },
  'GET /v1/webhooks/{id}': {
    id: 'getWebhook',
    scope: 'admin',
    summary: 'One webhook',
    description:
      'Returns a webhook, with since when it fails and why it was disabled. Its secret is not shown.',
    params: ofWebhook,
    query: none,
    answers: { 200: webhook },
  },
  'PATCH /v1/webhooks/{id}': {
    id: 'changeWebhook',
    scope: 'admin',
    summary: 'Change a webhook, disable it, or enable it again from now on',
    description:
      'Changes the fields that the body names. A webhook that is enabled again receives new events, and the ' +
      'deliveries that were due when it was disabled.',
    params: ofWebhook,
    body: webhookPatch,
    example: { body: { types: ['compaction.parked'], enabled: true } },
    answers: { 200: webhook },
  },
  'DELETE /v1/webhooks/{id}': {
    id: 'removeWebhook',
    scope: 'admin',
    summary: 'Remove a webhook and its deliveries',
    description: 'Removes a webhook with its deliveries. Events that it has not received are lost to it.',
    params: ofWebhook,
    answers: { 204: null },
  },
  'POST /v1/webhooks/{id}/rotate-secret': {
    id: 'rotateWebhookSecret',
    scope: 'admin',
    summary: 'Give a webhook a new secret; the old one signs beside it for a while',
    description:
      'Replaces the secret, which is shown once. The replaced one also signs for `overlap_ms`, so that a ' +
      'receiver can change over without losing an event. A session is refused with 403 unless its key was shown ' +
      'within the last five minutes.',
    params: ofWebhook,
    body: secretRotate,
    example: { body: { overlap_ms: 3600000 } },
    answers: { 200: webhookRotated },
  },
  'POST /v1/webhooks/{id}/test': {
    id: 'testWebhook',
    scope: 'admin',
    summary: 'Send it an event of type webhook.test',
    description:
      'Queues an event of type `webhook.test` for this webhook and returns its delivery. A disabled webhook ' +
      'is refused with 409.',
    params: ofWebhook,
    answers: { 202: delivery },
  },
  'GET /v1/webhooks/{id}/deliveries': {
    id: 'listDeliveries',
    scope: 'admin',
    summary: 'What was sent to a webhook and how that went, newest first',
    description:
      'Lists the deliveries of a webhook, newest first, with the last answer of its receiver. They are kept ' +
      'for seven days.',
    params: ofWebhook,
    query: deliveriesQuery,
    example: { query: { state: 'failed', limit: 50 } },
    answers: { 200: deliveryList },
  },
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    id: 'redeliver',
    scope: 'admin',
    summary: 'Send a delivery again, from its first attempt on',
    description:
      'Queues a delivery again with all its attempts. The receiver gets the same `webhook-id`, so it can ' +
      'tell a repeated event.',
    params: z.object({
      id: ofWebhook.shape.id,
      delivery_id: z.uuid().describe('The id of the delivery, as the list has it.'),
    }),
    answers: { 202: delivery },
  },
};

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
import { none, threadId, type Route } from './route.js';

const ofWebhook = z.object({ id: webhookId });

/** Live events. */
export const eventsRoutes: Record<string, Route> = {
  'GET /v1/events': {
    id: 'streamEvents',
    scope: 'context:read',
    summary: 'Events as they happen (server-sent events); goes on after Last-Event-ID',
    query: eventStreamQuery,
    answers: { 200: 'text/event-stream' },
  },
  'GET /v1/threads/{id}/events': {
    id: 'listThreadEvents',
    scope: 'context:read',
    summary: 'Events of a thread, newest first',
    params: threadId,
    query: threadEventsQuery,
    answers: { 200: eventList },
  },
  'GET /v1/webhooks': {
    id: 'listWebhooks',
    scope: 'admin',
    summary: 'Where events are sent',
    query: none,
    answers: { 200: webhookList },
  },
  'POST /v1/webhooks': {
    id: 'createWebhook',
    scope: 'admin',
    summary: 'Send events to a URL, signed as Standard Webhooks says',
    body: webhookCreate,
    answers: { 201: webhookCreated },
  },
  'GET /v1/webhooks/{id}': {
    id: 'getWebhook',
    scope: 'admin',
    summary: 'One webhook',
    params: ofWebhook,
    query: none,
    answers: { 200: webhook },
  },
  'PATCH /v1/webhooks/{id}': {
    id: 'changeWebhook',
    scope: 'admin',
    summary: 'Change a webhook, disable it, or enable it again from now on',
    params: ofWebhook,
    body: webhookPatch,
    answers: { 200: webhook },
  },
  'DELETE /v1/webhooks/{id}': {
    id: 'removeWebhook',
    scope: 'admin',
    summary: 'Remove a webhook and its deliveries',
    params: ofWebhook,
    answers: { 204: null },
  },
  'POST /v1/webhooks/{id}/rotate-secret': {
    id: 'rotateWebhookSecret',
    scope: 'admin',
    summary: 'Give a webhook a new secret; the old one signs beside it for a while',
    params: ofWebhook,
    body: secretRotate,
    answers: { 200: webhookRotated },
  },
  'POST /v1/webhooks/{id}/test': {
    id: 'testWebhook',
    scope: 'admin',
    summary: 'Send it an event of type webhook.test',
    params: ofWebhook,
    answers: { 202: delivery },
  },
  'GET /v1/webhooks/{id}/deliveries': {
    id: 'listDeliveries',
    scope: 'admin',
    summary: 'What was sent to a webhook and how that went, newest first',
    params: ofWebhook,
    query: deliveriesQuery,
    answers: { 200: deliveryList },
  },
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    id: 'redeliver',
    scope: 'admin',
    summary: 'Send a delivery again, from its first attempt on',
    params: z.object({ id: webhookId, delivery_id: z.uuid() }),
    answers: { 202: delivery },
  },
};

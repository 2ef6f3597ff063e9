import { SpillwayError } from '@spillway/engine';
import {
  deleteWebhook,
  eventsFromNow,
  findWebhook,
  insertWebhook,
  listWebhooks as readWebhooks,
  updateWebhook,
  type WebhookRow,
} from '@spillway/store';
import { randomUUID } from 'node:crypto';
import type { Page } from '../paging/cursor.js';
import { byCreation, pageOfWhole, type ListQuery } from '../paging/page-of-whole.js';
import type { Runtime } from '../runtime.js';
import { newSecret, ownerOf } from './webhook-secret.js';
import { webhookUrl } from './webhook-url.js';

/** Maximum per project: each event is copied for each of them. */
const maxWebhooks = 20;

export interface WebhookInput {
  url: string;
  description: string;
  types: string[];
}

/** Newest first. */
export const listWebhooks = async (
  rt: Runtime,
  projectId: string,
  query: ListQuery,
): Promise<Page<WebhookRow>> =>
  pageOfWhole(await readWebhooks(rt.store, projectId), query, {
    list: 'webhooks',
    keyOf: byCreation,
    descending: true,
  });

/** Throws `webhook_not_found`. */
export async function getWebhook(rt: Runtime, projectId: string, id: string): Promise<WebhookRow> {
  return (await findWebhook(rt.store, projectId, id)) ?? notFound();
}

/** A webhook with its secret, which is shown only now. */
export interface ShownSecret {
  row: WebhookRow;
  secret: string;
}

/**
 * Creates a webhook, which receives events from now on. Throws `webhook_url_refused`, `too_many_webhooks`,
 * `secrets_not_configured`.
 */
export async function createWebhook(
  rt: Runtime,
  projectId: string,
  input: WebhookInput,
): Promise<ShownSecret> {
  if ((await readWebhooks(rt.store, projectId)).length >= maxWebhooks) {
    throw new SpillwayError(
      'too_many_webhooks',
      `The project has ${maxWebhooks} webhooks, which is the limit.`,
    );
  }
  const url = await webhookUrl(input.url, rt.webhookHosts);
  const { xid } = await eventsFromNow(rt.store.query);
  const id = randomUUID();
  const secret = newSecret();
  const sealed = rt.secrets.seal(secret, ownerOf({ projectId, id }));
  const row = await insertWebhook(rt.store, {
    ...input,
    id,
    url,
    projectId,
    secret: sealed,
    afterXid: BigInt(xid),
  });
  return { row, secret };
}

/**
 * Replaces the secret of a webhook. The previous one also signs for `overlapMs`, so that a receiver can change over
 * without losing an event. Throws `webhook_not_found`, `secrets_not_configured`.
 */
export async function rotateSecret(
  rt: Runtime,
  projectId: string,
  id: string,
  overlapMs: number,
): Promise<ShownSecret> {
  const webhook = await getWebhook(rt, projectId, id);
  const secret = newSecret();
  const row = await updateWebhook(rt.store, projectId, id, {
    secret: rt.secrets.seal(secret, ownerOf(webhook)),
    previousSecret: overlapMs === 0 ? null : webhook.secret,
    previousSecretUntil: new Date(Date.now() + overlapMs),
  });
  return { row: row ?? notFound(), secret };
}

/**
 * Changes a webhook. After it is enabled again, it receives new events and the deliveries that were due when it was
 * disabled. Throws `webhook_not_found`, `webhook_url_refused`.
 */
export async function changeWebhook(
  rt: Runtime,
  projectId: string,
  id: string,
  { enabled, url, ...rest }: Partial<WebhookInput> & { enabled?: boolean },
): Promise<WebhookRow> {
  const webhook = await getWebhook(rt, projectId, id);
  const change = url === undefined ? {} : { url: await webhookUrl(url, rt.webhookHosts) };
  const state = enabled === undefined || enabled === !webhook.disabledAt ? {} : await turned(rt, enabled);
  return (await updateWebhook(rt.store, projectId, id, { ...rest, ...change, ...state })) ?? notFound();
}

async function turned(rt: Runtime, on: boolean): Promise<Parameters<typeof updateWebhook>[3]> {
  if (!on) return { disabledAt: new Date(), disabledReason: 'by_hand' };
  const { xid } = await eventsFromNow(rt.store.query);
  return { disabledAt: null, disabledReason: null, failingSince: null, afterXid: BigInt(xid), afterId: 0n };
}

/** Throws `webhook_not_found`. */
export async function removeWebhook(rt: Runtime, projectId: string, id: string): Promise<void> {
  if (!(await deleteWebhook(rt.store.query, projectId, id))) notFound();
}

function notFound(): never {
  throw new SpillwayError('webhook_not_found', 'No such webhook.');
}

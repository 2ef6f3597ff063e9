import { SpillwayError } from '@spillway/engine';
import {
  databaseTime,
  deleteWebhook,
  eventsFromNow,
  findWebhook,
  insertWebhook,
  listWebhooks as readWebhooks,
  updateWebhook,
  type CallerRow,
  type WebhookRow,
} from '@spillway/store';
import { randomUUID } from 'node:crypto';
import { refuseUnproven } from '../access/refuse-unproven.js';
import type { Page } from '../paging/cursor.js';
import { byCreation, pageOfWhole, type ListQuery } from '../paging/page-of-whole.js';
import type { Runtime } from '../runtime.js';
import { canOpen, newSecret, ownerOf, withinOverlap } from './webhook-secret.js';
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
  pageOfWhole(await withinOverlap(rt, await readWebhooks(rt.store, projectId)), query, {
    list: 'webhooks',
    keyOf: byCreation,
    descending: true,
  });

/** Throws `webhook_not_found`. */
export async function getWebhook(rt: Runtime, projectId: string, id: string): Promise<WebhookRow> {
  return (await current(rt, await findWebhook(rt.store, projectId, id))) ?? notFound();
}

/** A webhook with its secret, which is shown only now. */
export interface ShownSecret {
  row: WebhookRow;
  secret: string;
}

/**
 * Creates a webhook, which receives events from now on. Throws `reauthentication_required`,
 * `webhook_url_refused`, `too_many_webhooks`, `secrets_not_configured`.
 */
export async function createWebhook(
  rt: Runtime,
  caller: CallerRow,
  input: WebhookInput,
): Promise<ShownSecret> {
  await refuseUnproven(rt, caller, 'webhook');
  const { projectId } = caller;
  const url = await webhookUrl(input.url, rt.webhookHosts);
  const { xid } = await eventsFromNow(rt.store.query);
  const id = randomUUID();
  const secret = newSecret();
  const sealed = rt.secrets.seal(secret, ownerOf({ projectId, id }));
  const webhook = { ...input, id, url, projectId, secret: sealed, afterXid: BigInt(xid) };
  const row = await insertWebhook(rt.store, webhook, maxWebhooks);
  if (!row)
    throw new SpillwayError(
      'too_many_webhooks',
      `The project has ${maxWebhooks} webhooks, which is the limit.`,
    );
  return { row, secret };
}

/**
 * Replaces the secret of a webhook. The previous one also signs for `overlapMs`, so that a receiver can change over
 * without losing an event, unless no key opens it. Of two calls at once the later one replaces the secret of the other.
 * Throws `reauthentication_required`, `webhook_not_found`, `secrets_not_configured`.
 */
export async function rotateSecret(
  rt: Runtime,
  caller: CallerRow,
  id: string,
  overlapMs: number,
): Promise<ShownSecret> {
  await refuseUnproven(rt, caller, 'secret');
  const { projectId } = caller;
  const secret = newSecret();
  for (;;) {
    const webhook = await getWebhook(rt, projectId, id);
    const overlaps = overlapMs > 0 && canOpen(rt, webhook, webhook.secret);
    const change = {
      secret: rt.secrets.seal(secret, ownerOf(webhook)),
      previousSecret: overlaps ? webhook.secret : null,
      previousSecretUntil: new Date((await databaseTime(rt.store.query)) + (overlaps ? overlapMs : 0)),
    };
    const row = await updateWebhook(rt.store, projectId, id, change, { secret: webhook.secret });
    if (row) return { row, secret };
  }
}

/**
 * Changes a webhook. After it is enabled again, it receives new events and the deliveries that were due when it was
 * disabled. Enabling one that is enabled changes nothing, so that a repeated call skips no event. Throws
 * `webhook_not_found`, `webhook_url_refused`, and for another URL `reauthentication_required`.
 */
export async function changeWebhook(
  rt: Runtime,
  caller: CallerRow,
  id: string,
  { enabled, url, ...rest }: Partial<WebhookInput> & { enabled?: boolean },
): Promise<WebhookRow> {
  if (url !== undefined) await refuseUnproven(rt, caller, 'webhook');
  const { projectId } = caller;
  await getWebhook(rt, projectId, id);
  const change = { ...rest, ...(url === undefined ? {} : { url: await webhookUrl(url, rt.webhookHosts) }) };
  const turned =
    enabled === undefined
      ? undefined
      : await updateWebhook(
          rt.store,
          projectId,
          id,
          {
            ...change,
            ...(await (enabled ? enabling(rt) : disabling(rt))),
          },
          { disabledAt: enabled ? { not: null } : null },
        );
  const changed = turned ?? (await updateWebhook(rt.store, projectId, id, change));
  return (await current(rt, changed)) ?? notFound();
}

const current = async (rt: Runtime, row: WebhookRow | null | undefined): Promise<WebhookRow | undefined> =>
  row ? (await withinOverlap(rt, [row]))[0] : undefined;

async function enabling(rt: Runtime): Promise<Parameters<typeof updateWebhook>[3]> {
  const { xid } = await eventsFromNow(rt.store.query);
  return { disabledAt: null, disabledReason: null, failingSince: null, afterXid: BigInt(xid), afterId: 0n };
}

async function disabling(rt: Runtime): Promise<Parameters<typeof updateWebhook>[3]> {
  return { disabledAt: new Date(await databaseTime(rt.store.query)), disabledReason: 'by_hand' };
}

/** Throws `webhook_not_found`. */
export async function removeWebhook(rt: Runtime, projectId: string, id: string): Promise<void> {
  if (!(await deleteWebhook(rt.store, projectId, id))) notFound();
}

function notFound(): never {
  throw new SpillwayError('webhook_not_found', 'No such webhook.');
}

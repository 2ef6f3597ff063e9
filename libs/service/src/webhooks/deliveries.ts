import { SpillwayError } from '@spillway/engine';
import {
  findDelivery,
  insertDelivery,
  listDeliveries as readDeliveries,
  renewDelivery,
  type DeliveryRow,
} from '@spillway/store';
import { pageOf, readCursor, writeCursor, type Page } from '../paging/cursor.js';
import type { Runtime } from '../runtime.js';
import { testMessage } from './webhook-message.js';
import { getWebhook } from './webhooks.js';

/** Ids of deliveries count up from 1 and stay within the safe integers. */
const last = Number.MAX_SAFE_INTEGER;

/** Deliveries of a webhook, newest first. Throws `webhook_not_found`. */
export async function listDeliveries(
  rt: Runtime,
  projectId: string,
  webhookId: string,
  { limit = 100, cursor, state }: { limit?: number; cursor?: string; state?: string },
): Promise<Page<DeliveryRow>> {
  const before = BigInt(readCursor(cursor, last, last));
  await getWebhook(rt, projectId, webhookId);
  const of = { projectId, webhookId, before, limit: limit + 1, ...(state === undefined ? {} : { state }) };
  const rows = await readDeliveries(rt.store, of);
  return pageOf(rows, limit, ({ position }) => writeCursor(Number(position)));
}

/** Queues an event of type webhook.test. Throws `webhook_not_found`, `webhook_disabled`. */
export async function testWebhook(rt: Runtime, projectId: string, webhookId: string): Promise<DeliveryRow> {
  await enabledWebhook(rt, projectId, webhookId);
  return insertDelivery(rt.store, { projectId, webhookId, ...testMessage() });
}

/** Queues a delivery again, starting with its first attempt. Also throws `delivery_not_found`. */
export async function redeliver(
  rt: Runtime,
  projectId: string,
  webhookId: string,
  id: string,
): Promise<DeliveryRow> {
  await enabledWebhook(rt, projectId, webhookId);
  const renewed = await renewDelivery(rt.store.query, projectId, webhookId, id);
  const row = renewed ? await findDelivery(rt.store, projectId, webhookId, id) : null;
  if (!row) throw new SpillwayError('delivery_not_found', 'The webhook has no such delivery.');
  return row;
}

async function enabledWebhook(rt: Runtime, projectId: string, id: string): Promise<void> {
  const { disabledAt } = await getWebhook(rt, projectId, id);
  if (disabledAt) throw new SpillwayError('webhook_disabled', 'The webhook is disabled: enable it first.');
}

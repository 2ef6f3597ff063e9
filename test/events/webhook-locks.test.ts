import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, type Stack } from '@spillway/testing';
import { asService, openStore, reportDelivery, type Store } from '@spillway/store';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilLocked } from '../until-locked.js';

let stack: Stack;
let store: Store;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1' } });
  const url = stack.databaseUrl;
  store = openStore({ url, maxConnections: 1, onError: (error) => expect.unreachable(error.message) });
});
afterAll(async () => {
  await store?.close();
  await stack?.stop();
});

test('a webhook is removed while the end of one of its deliveries is recorded', async () => {
  const api = apiOf(stack);
  const { body: webhook } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    types: [],
  });
  const [delivery] = await rowsOf<{ projectId: string; id: string }>(
    stack.databaseUrl,
    `INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, type, payload, lease_epoch, lease_until)
     SELECT project_id, id, 'm', 'message.recorded', '{}', 1, now() + interval '1 minute' FROM webhooks
     RETURNING project_id AS "projectId", id`,
  );
  const holder = new pg.Client(stack.databaseUrl);
  await holder.connect();
  try {
    // The removal waits for its locks first, then the report.
    await holder.query('BEGIN');
    await holder.query('SELECT FROM webhooks FOR UPDATE');
    const removed = api.call('DELETE', `/v1/webhooks/${webhook.id}`);
    await untilLocked(stack.databaseUrl, 1);
    const report = { leaseEpoch: 1, state: 'failed' as const, retryInMs: 0, status: 500, error: 'no' };
    const how = { response: null, ms: 1, gone: false, disableAfterMs: 60_000 };
    const reported = asService(() =>
      reportDelivery(store.query, { ...delivery!, webhookId: webhook.id, ...report, ...how }),
    );
    await untilLocked(stack.databaseUrl, 2);
    await holder.query('COMMIT');
    expect((await removed).status).toBe(204);
    await reported;
  } finally {
    await holder.end();
  }
  expect(await rowsOf(stack.databaseUrl, 'SELECT FROM webhooks')).toEqual([]);
  expect(await rowsOf(stack.databaseUrl, 'SELECT FROM webhook_deliveries')).toEqual([]);
});

test('a webhook that is removed while its events are fanned out takes these deliveries with it', async () => {
  const api = apiOf(stack);
  const { body: webhook } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/',
    types: [],
  });
  const holder = new pg.Client(stack.databaseUrl);
  await holder.connect();
  try {
    // As fan-out-events does it: the position of the webhook, then the deliveries.
    await holder.query('BEGIN');
    await holder.query('UPDATE webhooks SET after_id = after_id');
    const removed = api.call('DELETE', `/v1/webhooks/${webhook.id}`);
    await untilLocked(stack.databaseUrl, 1);
    await holder.query(
      `INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, type, payload)
       SELECT project_id, id, 'late', 'message.recorded', '{}' FROM webhooks`,
    );
    await holder.query('COMMIT');
    expect((await removed).status).toBe(204);
  } finally {
    await holder.end();
  }
  expect(await rowsOf(stack.databaseUrl, 'SELECT FROM webhook_deliveries')).toEqual([]);
});

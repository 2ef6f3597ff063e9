import type { Schemas } from '@spillway/client';
import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
let server: Server;
/** How many secrets signed each delivery. */
const signatures: number[] = [];
/** When each delivery says that it was signed, in seconds. */
const timestamps: number[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    signatures.push(String(request.headers['webhook-signature']).split(' ').length);
    timestamps.push(Number(request.headers['webhook-timestamp']));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const shifted = new URL('../faults/shifted-clock.mjs', import.meta.url).href;
  stack = await startStack({
    redis: false,
    env: {
      NODE_OPTIONS: `--import ${shifted}`,
      SHIFT_MS: String(30 * 86_400_000),
      SPILLWAY_POLL_MS: '200',
      SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1',
    },
  });
  api = apiOf(stack);
});
afterAll(async () => {
  await stack?.stop();
  server.close();
});

test('a replaced secret signs until its end by the clock of the database, not by that of the process', async () => {
  const { body: made } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  });
  const path = `/v1/webhooks/${made.id}`;
  const delivered = async () => {
    const before = signatures.length;
    await api.call('POST', `${path}/test`);
    await until('a delivery', () => Promise.resolve(signatures.length > before));
    return signatures.at(-1);
  };
  const shown = async () => [
    (await api.call<Schemas['Webhook']>('GET', path)).body,
    (await api.call<Schemas['WebhookList']>('GET', '/v1/webhooks')).body.data[0]!,
    (await api.call<Schemas['Webhook']>('PATCH', path, { description: 'seen' })).body,
  ];
  expect(await delivered()).toBe(1);
  const { body: rotated } = await api.call<Schemas['WebhookRotated']>('POST', `${path}/rotate-secret`, {
    overlap_ms: 3_600_000,
  });
  expect(await delivered()).toBe(2);
  for (const { previous_secret_until: until } of await shown())
    expect(until).toBe(rotated.previous_secret_until);
  await api.call('POST', `${path}/rotate-secret`, { overlap_ms: 1 });
  expect(await delivered()).toBe(1);
  for (const { previous_secret_until: until } of await shown()) expect(until).toBeNull();
});

test('a delivery is signed with the time of the database: receivers refuse one that is five minutes off', async () => {
  const before = timestamps.length;
  const { body: made } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  });
  await api.call('POST', `/v1/webhooks/${made.id}/test`);
  await until('a delivery', () => Promise.resolve(timestamps.length > before));
  expect(Math.abs(timestamps.at(-1)! - Date.now() / 1_000)).toBeLessThan(300);
});

import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilLocked } from '../until-locked.js';

let stack: Stack;
let api: Api;
let holder: pg.Client;
beforeAll(async () => {
  stack = await startStack({
    redis: false,
    env: { SPILLWAY_POLL_MS: '200', SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1' },
  });
  api = apiOf(stack);
  holder = new pg.Client(stack.databaseUrl);
  await holder.connect();
});
afterAll(async () => {
  server?.close();
  await holder?.end();
  await stack?.stop();
});

interface Delivered {
  body: string;
  headers: Record<string, string>;
}
let server: Server | undefined;
const delivered: Delivered[] = [];
async function receiver(): Promise<string> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = Buffer.concat(chunks).toString();
        delivered.push({ body, headers: request.headers as Record<string, string> });
        response.end();
      });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
const create = (url: string) => api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', { url });

test('two rotations of a secret at once: both secrets sign, one after the other', async () => {
  const { body: webhook } = await create(await receiver());
  const rotate = () =>
    api.call<Schemas['WebhookRotated']>('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, {});
  // Both have read the secret when the first of them may write.
  await holder.query('BEGIN; SELECT FROM webhooks FOR UPDATE');
  const rotations = [rotate(), rotate()];
  await untilLocked(stack.databaseUrl, 2);
  await holder.query('COMMIT');
  const rotated = await Promise.all(rotations);
  expect(rotated.map(({ status }) => status)).toEqual([200, 200]);
  await api.append('signed', { role: 'user', content: 'hello' });
  await until('a delivery', () => Promise.resolve(delivered.length > 0));
  const { body, headers } = delivered[0]!;
  for (const { body: answer } of rotated) new Webhook(answer.secret).verify(body, headers);
});

test('a webhook that is enabled twice at once skips no event of the time in between', async () => {
  const { body: webhook } = await create('http://127.0.0.1:9/');
  const turn = (enabled: boolean) => api.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled });
  expect((await turn(false)).status).toBe(200);
  await holder.query('BEGIN; SELECT FROM webhooks FOR UPDATE');
  const first = turn(true);
  await untilLocked(stack.databaseUrl, 1);
  await api.append('between', { role: 'user', content: 'hello' });
  const second = turn(true);
  await untilLocked(stack.databaseUrl, 2);
  await holder.query('COMMIT');
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  await until('the event of the time in between is delivered', async () => {
    const rows = await rowsOf<{ payload: string }>(
      stack.databaseUrl,
      'SELECT payload FROM webhook_deliveries WHERE webhook_id = $1',
      [webhook.id],
    );
    return rows.some(({ payload }) => payload.includes('between'));
  });
});

test('the limit of webhooks holds for two that are made at once', async () => {
  for (;;) if ((await create('http://127.0.0.1:9/')).status === 409) break;
  const [oldest] = await rowsOf<{ id: string }>(
    stack.databaseUrl,
    'SELECT id FROM webhooks ORDER BY created_at LIMIT 1',
  );
  await api.call('DELETE', `/v1/webhooks/${oldest!.id}`);
  await holder.query('BEGIN; LOCK TABLE webhooks IN SHARE MODE');
  const made = [create('http://127.0.0.1:9/'), create('http://127.0.0.1:9/')];
  await untilLocked(stack.databaseUrl, 2);
  await holder.query('COMMIT');
  expect((await Promise.all(made)).map(({ status }) => status).sort()).toEqual([201, 409]);
});

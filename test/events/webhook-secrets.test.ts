import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver, type Receiver } from './webhook-receiver.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({
    redis: false,
    env: { SPILLWAY_POLL_MS: '200', SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1, allowed.example' },
  });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const open: Receiver[] = [];
afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.stop();
  const { body } = await api.call<Schemas['WebhookList']>('GET', '/v1/webhooks');
  for (const { id } of body.data) expect((await api.call('DELETE', `/v1/webhooks/${id}`)).status).toBe(204);
});

/** A receiver, and the webhook that leads to it. */
async function hooked(): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await startReceiver();
  open.push(receiver);
  const { status, body } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', {
    url: receiver.url,
  });
  expect(status).toBe(201);
  receiver.secret = body.secret;
  return { receiver, id: body.id };
}
const say = (thread: string) => api.append(thread, { role: 'user', content: 'hello' });
const got = (receiver: Receiver, n: number, withinMs = 30_000) =>
  until(`${n} deliveries`, () => Promise.resolve(receiver.received.length >= n), withinMs);
/** What waits for its next attempt is due now. */
const hurry = () =>
  rowsOf(stack.databaseUrl, `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending'`);

describe('a webhook', () => {
  test('A107 its secret is stored encrypted, and one that was stored as plain text is encrypted at the next start', async () => {
    const { receiver, id } = await hooked();
    const stored = async () =>
      (
        await rowsOf<{ secret: string }>(stack.databaseUrl, 'SELECT secret FROM webhooks WHERE id = $1', [id])
      )[0]!.secret;
    expect(await stored()).toMatch(/^enc:1:/);
    await rowsOf(stack.databaseUrl, 'UPDATE webhooks SET secret = $1 WHERE id = $2', [receiver.secret, id]);
    const again = await stack.startApi();
    expect(await stored()).toMatch(/^enc:1:/);
    await again.stop();
    await say('encrypted');
    await got(receiver, 1);
    expect(receiver.forged).toBe(0);
  });

  test('A107 a new secret and the one before sign side by side, until the overlap is over', async () => {
    const { receiver, id } = await hooked();
    const before = receiver.secret;
    const rotate = (overlap?: number) =>
      api.call<Schemas['WebhookRotated']>('POST', `/v1/webhooks/${id}/rotate-secret`, {
        ...(overlap === undefined ? {} : { overlap_ms: overlap }),
      });
    const rotated = await rotate();
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(before);
    expect(Date.parse(rotated.body.previous_secret_until)).toBeGreaterThan(Date.now() + 86_000_000);
    await say('rotated');
    await got(receiver, 1);
    receiver.secret = rotated.body.secret;
    await say('rotated');
    await got(receiver, 2);
    expect(receiver.forged).toBe(0);
    const last = await rotate(0);
    expect((await api.call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_ms: 1e12 })).status).toBe(
      422,
    );
    await say('rotated');
    await until('the old secret does not sign any more', () => Promise.resolve(receiver.forged > 0));
    receiver.secret = last.body.secret;
    await hurry();
    await got(receiver, 3);
    const { body: log } = await api.call<{ data: { target: string }[] }>(
      'GET',
      '/v1/audit?action=webhook.secret_rotated',
    );
    expect(log.data.filter(({ target }) => target === id)).toHaveLength(2);
  });

  test('A107 a server without a key for secrets stores none, and says which setting is missing', async () => {
    const keyless = await stack.startApi({ SPILLWAY_SECRET_KEY: '' });
    const refused = await apiOf({ url: keyless.url, key: stack.key }).call<{ code: string; detail: string }>(
      'POST',
      '/v1/webhooks',
      { url: 'https://example.com/hook' },
    );
    expect(refused).toMatchObject({ status: 422, body: { code: 'secrets_not_configured' } });
    expect(refused.body.detail).toContain('SPILLWAY_SECRET_KEY');
    await keyless.stop();
  });

  test('A108 its URL is https unless the operator allows the host, and stands in the audit log without user and query', async () => {
    const refused = await api.call<{ errors: { message: string }[] }>('POST', '/v1/webhooks', {
      url: 'http://example.com/hook',
    });
    expect(refused).toMatchObject({ status: 422, body: { code: 'webhook_url_refused' } });
    expect(refused.body.errors[0]!.message).toContain('https');
    const made = await api.call<{ id: string }>('POST', '/v1/webhooks', {
      url: 'https://example.com/hook?token=planted-token',
    });
    await api.call('PATCH', `/v1/webhooks/${made.body.id}`, {
      url: 'https://example.com/other?token=planted-token',
    });
    const { body } = await api.call<{ data: { detail: unknown }[] }>(
      'GET',
      `/v1/audit?target=${made.body.id}`,
    );
    expect(body.data.map(({ detail }) => detail)).toEqual([
      { url: 'https://example.com/other' },
      { url: 'https://example.com/hook' },
    ]);
  });
});

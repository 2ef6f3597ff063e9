import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until } from '@spillway/testing';
import { expect } from 'vitest';
import { startReceiver, type Receiver } from './webhook-receiver.js';

export type WebhookRig = Awaited<ReturnType<typeof startWebhookRig>>;

/** A stack that may send to receivers of this machine, and what tests of webhooks do with it. */
export async function startWebhookRig() {
  const stack = await startStack({
    redis: false,
    env: { SPILLWAY_POLL_MS: '200', SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1, allowed.example' },
  });
  const api = apiOf(stack);
  const open: Receiver[] = [];

  /** A receiver that no webhook leads to. */
  async function receiver(): Promise<Receiver> {
    const one = await startReceiver();
    open.push(one);
    return one;
  }

  return {
    stack,
    api,
    receiver,
    /** A receiver, and the webhook that leads to it. */
    async hooked(types: Schemas['EventType'][] = []): Promise<{ receiver: Receiver; id: string }> {
      const one = await receiver();
      const { status, body } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', {
        url: one.url,
        types,
      });
      expect(status).toBe(201);
      one.secret = body.secret;
      return { receiver: one, id: body.id };
    },
    say: (thread: string) => api.append(thread, { role: 'user', content: 'hello' }),
    got: (one: Receiver, n: number, withinMs = 30_000) =>
      until(`${n} deliveries`, () => Promise.resolve(one.received.length >= n), withinMs),
    /** What waits for its next attempt is due now. */
    hurry: () =>
      rowsOf(
        stack.databaseUrl,
        `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending'`,
      ),
    /** Stops the receivers and removes the webhooks. */
    async clear(): Promise<void> {
      for (const one of open.splice(0)) await one.stop();
      const { body } = await api.call<Schemas['WebhookList']>('GET', '/v1/webhooks');
      for (const { id } of body.data)
        expect((await api.call('DELETE', `/v1/webhooks/${id}`)).status).toBe(204);
    },
  };
}

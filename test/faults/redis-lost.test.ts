import {
  apiOf,
  longestSample,
  providerComplaint,
  startStack,
  startStubLlm,
  until,
  type Stack,
} from '@spillway/testing';
import type { JsonMessage } from '@spillway/testing';
import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { startReceiver } from '../events/webhook-receiver.js';
import { compacted, dueThread, llmEnv } from './fault-rig.js';

let stack: Stack;
afterEach(() => stack?.stop());

const policy = { context: { context_window: 16_000 } };
const long = () => longestSample().messages.slice(0, 400);

async function settled(id: string) {
  const api = apiOf(stack);
  const thread = await until(`${id} settles`, async () => {
    const now = await api.thread(id);
    return now.compaction.state === 'idle' && now.live_tokens < now.trigger_tokens && now;
  });
  let next = 1;
  for (const summary of await api.summaries(id)) {
    expect(summary.from_seq).toBe(next);
    next = summary.to_seq + 1;
  }
  return thread;
}

test(
  'F17 FLUSHALL again and again while a thread is written changes nothing but latency',
  { tags: 'long' },
  async () => {
    stack = await startStack({ env: { SPILLWAY_POLL_MS: '500' } });
    const api = apiOf(stack);
    const redis = new Redis(stack.redis!.url);
    await api.createThread({ id: 'flushed', policy });
    const messages = long();
    for (const [i, message] of messages.entries()) {
      await api.append('flushed', message);
      if (i % 40 === 0) await redis.flushall();
      const context = await api.context('flushed');
      expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
      expect(providerComplaint(context.messages as JsonMessage[])).toBeNull();
    }
    redis.disconnect();
    const thread = await settled('flushed');
    expect(thread.compaction.generation).toBeGreaterThan(0);
    expect(await api.originals('flushed')).toEqual(messages);
  },
);

test('F20 without any Redis the worker polls Postgres, and both processes are ready', async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  const api = apiOf(stack);
  expect((await api.call('GET', '/readyz')).body).toEqual({
    status: 'ready',
    postgres: 'ok',
    redis: 'none',
    outputs: 'ok',
  });
  await api.createThread({ id: 'poll', policy });
  for (const message of long()) await api.append('poll', message);
  expect((await settled('poll')).compaction.generation).toBeGreaterThan(0);
});

test(
  'without Redis a slow summary holds up neither webhooks nor other threads',
  { tags: 'long' },
  async () => {
    const stub = await startStubLlm();
    const receiver = await startReceiver();
    try {
      const slow = Promise.withResolvers<void>();
      stub.answer = (call) => ({
        ...stub.plain(call),
        ...(stub.calls.length === 1 ? { after: slow.promise } : {}),
      });
      stack = await startStack({
        redis: false,
        env: { ...llmEnv(stub), SPILLWAY_WEBHOOK_HOSTS: '127.0.0.1' },
      });
      const api = apiOf(stack);
      await dueThread(api, 'slow');
      await until('its summary is being made', () => Promise.resolve(stub.calls.length === 1));
      const { body } = await api.call<{ secret: string }>('POST', '/v1/webhooks', { url: receiver.url });
      receiver.secret = body.secret;
      await dueThread(api, 'other');
      await until('a delivery', () => Promise.resolve(receiver.received.length > 0));
      await compacted(api, 'other');
      expect((await api.thread('slow')).compaction.generation).toBe(0);
      slow.resolve();
      await compacted(api, 'slow');
    } finally {
      await receiver.stop();
      await stub.stop();
    }
  },
);

test(
  'F18 Redis dies under load and comes back: appends never fail and compaction goes on',
  { tags: 'long' },
  async () => {
    stack = await startStack({ env: { SPILLWAY_POLL_MS: '200' } });
    const api = apiOf(stack);
    await api.createThread({ id: 'gone', policy });
    const messages = long();
    for (const [i, message] of messages.entries()) {
      if (i === 100) await stack.redis!.stop();
      if (i === 300) await stack.redis!.start();
      await api.append('gone', message);
    }
    await settled('gone');
    expect(await api.originals('gone')).toEqual(messages);
    // The worker takes hints again without a restart.
    await until('Redis is used again', async () => {
      const ready = await api.call<{ redis: string }>('GET', '/readyz');
      return ready.body.redis === 'ok';
    });
  },
);

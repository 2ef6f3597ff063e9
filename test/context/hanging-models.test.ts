import { apiOf, startStack, until, type Stack } from '@spillway/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let hanging: Server;
let asked = 0;
beforeAll(async () => {
  hanging = createServer((request) => {
    asked++;
    // It takes the request and never answers.
    request.resume();
  });
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  stack = await startStack({
    workers: 0,
    redis: false,
    memory: 'production',
    env: {
      SPILLWAY_SECRET_KEY: 'a-secret-of-the-test-0123456789abcdef',
      SPILLWAY_UPSTREAM_HOSTS: '127.0.0.1',
    },
  });
});
afterAll(async () => {
  hanging?.closeAllConnections();
  hanging?.close();
  await stack?.stop();
});

const turns = 400;
/** 410 kB. */
const content = 'All work and no play makes a dull thread. '.repeat(10_000);

test('A131 hundreds of turns of one project with a model that never answers: those beyond the room are refused, and others go on', async () => {
  const key = await stack.addProject('hanging');
  const api = apiOf({ url: stack.url, key });
  const base_url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/v1`;
  expect((await api.call('PUT', '/v1/upstreams/openai', { base_url, key: null })).status).toBeLessThan(300);
  const policy = { context: { context_window: 1_000_000 } };
  await api.createThread({ id: 'large', model: 'gpt-4.1', policy });
  await api.append('large', { role: 'user', content });

  const left = new AbortController();
  const refusals: string[] = [];
  const turn = async (signal: AbortSignal) => {
    const response = await fetch(`${stack.url}/v1/threads/large/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
      signal,
    });
    refusals.push(`${response.status} after ${response.headers.get('retry-after')}`);
    await response.arrayBuffer();
  };
  const begun: Promise<unknown>[] = [];
  // A few at a time: together they would be refused for other reasons.
  for (let n = 0; n < turns; n++) {
    begun.push(turn(left.signal).catch((error: Error) => error));
    await until(
      'the turns before are sent on or refused',
      () => Promise.resolve(asked + refusals.length > n - 4),
      120_000,
    );
  }
  await until('each is sent on or refused', () => Promise.resolve(asked + refusals.length >= turns), 120_000);
  expect(new Set(refusals)).toEqual(new Set(['429 after 1']));
  // 48 MiB of contexts.
  expect(asked).toBeLessThan(130);
  const other = apiOf(stack);
  await other.append('small', { role: 'user', content: 'hello' });
  expect((await other.context('small')).messages).toHaveLength(1);

  left.abort();
  await Promise.all(begun);
  const before = asked;
  await until('callers that left have given their room back', async () => {
    await turn(AbortSignal.timeout(1_000)).catch((error: Error) => error);
    return asked > before;
  });
});

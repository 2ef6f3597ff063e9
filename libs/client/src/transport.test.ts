import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ConnectionError, Spillway, type Call, type SpillwayOptions } from './index.js';

const answerOk = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

/** Runs calls of a client against a server that answers its n-th request, from 0, with `answer`. */
async function withServer<T>(
  answer: (response: ServerResponse, n: number, request: IncomingMessage) => unknown,
  run: (spillway: Spillway) => Promise<T>,
  options: Partial<SpillwayOptions> = {},
): Promise<T> {
  let requests = 0;
  const server = createServer((request, response) => void answer(response, requests++, request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await run(new Spillway({ baseUrl: `http://127.0.0.1:${port}`, key: 'key', ...options }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** When two requests came, the first of which was refused with this Retry-After. */
async function requestsWith(retryAfter: (now: number) => string): Promise<[number, number]> {
  const times: number[] = [];
  const refuseOnce = (response: ServerResponse, n: number) => {
    times.push(Date.now());
    if (n > 0) answerOk(response);
    else response.writeHead(429, { 'retry-after': retryAfter(Date.now()) }).end();
  };
  await withServer(refuseOnce, (spillway) => spillway.thread('t').get());
  return times as [number, number];
}

test('a retry waits for the seconds of Retry-After', async () => {
  const [first, second] = await requestsWith(() => '1');
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test('a retry waits for the date of Retry-After', async () => {
  let asked = 0;
  const [, second] = await requestsWith((now) => {
    asked = Math.ceil(now / 1_000) * 1_000 + 1_000;
    return new Date(asked).toUTCString();
  });
  expect(second).toBeGreaterThanOrEqual(asked - 10);
});

test.each(['soon', '-1', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
  'a Retry-After of %s leaves the pause to the client',
  async (value) => {
    const [first, second] = await requestsWith(() => value);
    expect(second - first).toBeGreaterThanOrEqual(90);
  },
);

test.each<[string, (spillway: Spillway) => Promise<unknown>]>([
  ['a context', (spillway) => spillway.thread('t').context({ wait: 10_000 })],
  ['an append with a context', (spillway) => spillway.thread('t').append({}, { context: { wait: 10_000 } })],
  ['a compaction', (spillway) => spillway.thread('t').compact({ wait_ms: 10_000 })],
])('what %s waits for in the service is beside the time for the request', async (_, call) => {
  let asked = 0;
  const answerLate = async (response: ServerResponse) => {
    asked++;
    await sleep(400);
    answerOk(response);
  };
  await withServer(answerLate, call, { timeoutMs: 200, maxRetries: 0 });
  expect(asked).toBe(1);
});

test('a key that is a function is asked before each try, so that a token may be renewed', async () => {
  const keys: unknown[] = [];
  const answer = (response: ServerResponse, n: number, { headers }: IncomingMessage) => {
    keys.push(headers.authorization);
    if (n === 0) response.writeHead(503).end();
    else answerOk(response);
  };
  let issued = 0;
  const run = async (spillway: Spillway) => {
    await spillway.thread('t').get();
    await spillway.thread('t').get();
  };
  await withServer(answer, run, { key: () => Promise.resolve(`token-${++issued}`) });
  expect(keys).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
});

test('a key that cannot be had is the error of its function', async () => {
  const noKey = () => Promise.reject(new Error('The issuer is down.'));
  const get = (spillway: Spillway) => spillway.thread('t').get();
  await expect(withServer(answerOk, get, { key: noKey })).rejects.toThrow('The issuer is down.');
});

test('a POST through `call` is sent once when its fate is unknown, unless it says that it may be repeated', async () => {
  const posts = async (call: Omit<Call, 'method' | 'path'>): Promise<number> => {
    let requests = 0;
    const breakOff = (response: ServerResponse) => {
      requests++;
      response.destroy();
    };
    await withServer(
      breakOff,
      async (spillway) => {
        const asked = spillway.call({ method: 'POST', path: '/v1/threads/t/chat', ...call });
        await expect(asked).rejects.toThrow(ConnectionError);
      },
      { maxRetries: 1 },
    );
    return requests;
  };
  expect(await posts({})).toBe(1);
  expect(await posts({ isRepeatable: true })).toBe(2);
  expect(await posts({ headers: { 'Idempotency-Key': 'k' } })).toBe(2);
});

test('a key that does not come in time is no answer, and an aborted call does not wait for it', async () => {
  const key = () => new Promise<string>(() => undefined);
  const inTime = { key, maxRetries: 0, timeoutMs: 50 };
  const get = (spillway: Spillway) => spillway.thread('t').get();
  await expect(withServer(answerOk, get, inTime)).rejects.toMatchObject({ code: 'timeout' });
  const stop = AbortSignal.abort(new Error('enough'));
  const stopped = (spillway: Spillway) => spillway.thread('t').get({ signal: stop });
  await expect(withServer(answerOk, stopped, { key })).rejects.toThrow('enough');
}, 5_000);

import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let hanging: Server;
let asked = 0;
const reply = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
});
/** By default it takes the request and never answers. */
let does: 'hang' | 'drop' | 'answer' = 'hang';
/** Answers the request that hangs since last with an error. */
let failLast = (): void => undefined;
beforeAll(async () => {
  hanging = createServer((request, response) => {
    asked++;
    request.resume();
    failLast = () => void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    if (does === 'drop') request.socket.destroy();
    if (does === 'answer') response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
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

interface Project {
  key: string;
  api: Api;
}

/** Another project, with the server above as its model. */
async function projectOf(name: string): Promise<Project> {
  const key = await stack.addProject(name);
  const api = apiOf({ url: stack.url, key });
  const base_url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/v1`;
  const upstream = { base_url, key: null, models: ['gpt-4.1'] };
  expect((await api.call('PUT', '/v1/upstreams/openai', upstream)).status).toBeLessThan(300);
  return { key, api };
}

const turns = 400;
/** 410 kB. */
const content = 'All work and no play makes a dull thread. '.repeat(10_000);

test('A131 hundreds of turns of one project with a model that never answers: those beyond the room are refused, and others go on', async () => {
  const { api, key } = await projectOf('hanging');
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

test('A131 calls of a proxy have the same room: it comes back when they end, fail or are left, and what it refuses is not recorded', async () => {
  // Of 1 MiB a project has three quarters: twelve of the smallest calls.
  const { url } = await stack.startApi({ SPILLWAY_MODEL_CALLS_MIB: '1' });
  const [one, other] = [await projectOf('proxied'), await projectOf('proxied too')];
  const left = new AbortController();
  const ask = async ({ key }: Project, thread: string, signal = left.signal) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'spillway-thread': thread,
      },
      body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hello' }] }),
      signal,
    });
    await response.arrayBuffer();
    return response.status;
  };
  does = 'answer';
  for (let n = 0; n < 13; n++) expect(await ask(one, `answered-${n}`)).toBe(200);
  does = 'drop';
  for (let n = 0; n < 13; n++) expect(await ask(one, `failed-${n}`)).toBe(502);

  does = 'hang';
  const begun: Promise<unknown>[] = [];
  const hang = async (project: Project, thread: string) => {
    const before = asked;
    begun.push(ask(project, thread).catch((error: Error) => error));
    await until('the model is asked', () => Promise.resolve(asked > before));
  };
  for (let n = 0; n < 12; n++) await hang(one, `hanging-${n}`);
  expect(await ask(one, 'refused', AbortSignal.timeout(20_000))).toBe(429);
  expect((await one.api.call('GET', '/v1/threads/refused')).status).toBe(404);
  for (let n = 0; n < 4; n++) await hang(other, `hanging-${n}`);
  expect(await ask(other, 'refused', AbortSignal.timeout(20_000))).toBe(503);

  left.abort();
  await Promise.all(begun);
  const before = asked;
  await until('callers that left have given their room back', async () => {
    await ask(one, 'again', AbortSignal.timeout(1_000)).catch((error: Error) => error);
    return asked > before;
  });
});

test('A131 a caller that leaves while its answer waits to be passed on gives its room back', async () => {
  const { url } = await stack.startApi({ SPILLWAY_MODEL_CALLS_MIB: '1' });
  const { key } = await projectOf('left');
  const ask = (text: string, signal: AbortSignal) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'spillway-thread-from': 'history',
      },
      body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: text }] }),
      signal,
    }).catch((error: Error) => error);
  does = 'hang';
  const left = new AbortController();
  const before = asked;
  // It takes more than the project has, so that no other call may run beside it.
  const call = ask(content.repeat(2), left.signal);
  await until('the model is asked', () => Promise.resolve(asked > before));

  const other = new pg.Client(stack.databaseUrl);
  await other.connect();
  await other.query('BEGIN; LOCK TABLE history_ends');
  failLast();
  const waiting = `SELECT pid FROM pg_locks WHERE relation = 'history_ends'::regclass AND NOT granted`;
  await until('the end of its turn waits', async () => (await rowsOf(stack.databaseUrl, waiting)).length > 0);
  left.abort();
  await call;
  // Until the process has seen that, so that nobody reads the answer.
  await sleep(200);
  await other.query('ROLLBACK');
  await other.end();

  await until('another call goes on', async () => {
    await ask('hello', AbortSignal.timeout(1_000));
    return asked > before + 1;
  });
});

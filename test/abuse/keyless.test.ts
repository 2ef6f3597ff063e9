import { connect, type Socket } from 'node:net';
import { apiOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilLocked } from '../until-locked.js';
import { exchange, statuses } from './hostile.js';

let stack: Stack;
let at: { host: string; port: number };
beforeAll(async () => {
  stack = await startStack({
    workers: 0,
    redis: false,
    env: { SPILLWAY_EXPENSIVE_RATE_LIMIT: '5', SPILLWAY_POOL: '8' },
  });
  const { hostname, port } = new URL(stack.url);
  at = { host: hostname, port: Number(port) };
});
afterAll(() => stack?.stop());

const head = (more: string) =>
  `POST /v1/threads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n`;

/** A socket that sends these bytes, and connects and sends them again whenever it was closed. */
function persistent(bytes: string): { stop(): void; answers(): string } {
  let stopped = false;
  let socket: Socket;
  let answers = '';
  const open = () => {
    socket = connect(at);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString('latin1')));
    socket.on('close', () => {
      if (!stopped) setImmediate(open);
    });
    socket.write(bytes);
  };
  open();
  return {
    answers: () => answers,
    stop: () => {
      stopped = true;
      socket.destroy();
    },
  };
}

test('A96 large bodies that are announced without a key are refused by their head, and block no write', async () => {
  const liars = Array.from({ length: 24 }, () => persistent(`${head('Content-Length: 8388608\r\n')}{`));
  try {
    await until('every announcement was answered', () =>
      Promise.resolve(liars.every((liar) => statuses(liar.answers()).length > 0)),
    );
    const api = apiOf(stack);
    for (let i = 0; i < 30; i++) await api.append('beside', { role: 'user', content: `message ${i}` });
    expect((await api.thread('beside')).last_seq).toBe(30);
    for (const liar of liars) expect(new Set(statuses(liar.answers()))).toEqual(new Set([401]));
  } finally {
    for (const liar of liars) liar.stop();
  }
});

test('A96 a body of chunks without a key is refused before it is sent, on routes that exist and others', async () => {
  for (const path of ['/v1/threads', '/nowhere', '/docs', '/openapi.json']) {
    const received = await exchange(
      at,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
      { keepOpen: true, untilAnswered: true },
    );
    expect(statuses(received), path).toEqual([path === '/v1/threads' ? 401 : 404]);
  }
});

test('A97 a key that holds its share of buffered bodies blocks neither itself for ever nor another key', async () => {
  const greedy = await stack.addProject('greedy');
  const authorization = `Authorization: Bearer ${greedy}\r\n`;
  const sockets = Array.from({ length: 20 }, () =>
    persistent(`${head(`${authorization}Transfer-Encoding: chunked\r\n`)}5\r\n{"a":\r\n`),
  );
  try {
    const answers = () => sockets.flatMap((socket) => statuses(socket.answers()));
    await until('the key holds its share', () => Promise.resolve(answers().includes(429)));
    const api = apiOf(stack);
    for (let i = 0; i < 20; i++) await api.append('not-blocked', { role: 'user', content: `message ${i}` });
    expect((await api.thread('not-blocked')).last_seq).toBe(20);
  } finally {
    for (const socket of sockets) socket.stop();
  }
  const own = apiOf({ url: stack.url, key: greedy });
  await until('its share is free again', async () => {
    const { status } = await own.call('POST', '/v1/threads', { id: 'again' });
    return status < 300;
  });
});

test('A98 a key that asks for too many expensive answers is told to wait, and its other requests go on', async () => {
  const api = apiOf(stack);
  await api.append('searched', { role: 'user', content: 'a word' });
  const search = () => api.call<{ code: string }>('GET', '/v1/threads/searched/search?q=word');
  const answers = [];
  for (let i = 0; i < 40; i++) answers.push(await search());
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, body } of refused) {
    expect(body.code).toBe('too_many_requests');
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect((await api.call('GET', '/v1/threads')).status).toBe(200);
});

test('A99 refused requests are in the audit log, bounded, with the address and the key they came from', async () => {
  const admin = apiOf(stack);
  const { body: made } = await admin.call<{ id: string; key: string }>('POST', '/v1/keys', {
    name: 'reader',
    scopes: ['context:read'],
  });
  const reader = apiOf({ url: stack.url, key: made.key });
  for (let i = 0; i < 20; i++) await reader.call('PUT', '/v1/policy', {});
  for (let i = 0; i < 20; i++) await apiOf({ url: stack.url, key: `sw_none_${i}` }).call('GET', '/v1/usage');
  const rows = await until('both are audited', async () => {
    const found = await rowsOf<{ actor: string; target: string; detail: string }>(
      stack.databaseUrl,
      `SELECT actor, target, detail FROM audit_log WHERE action = 'request.refused'
       AND target IN ('PUT /v1/policy', 'GET /v1/usage') ORDER BY target`,
    );
    return found.length >= 2 && found;
  });
  expect(rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as object }))).toEqual([
    {
      actor: 'address:127.0.0.1',
      target: 'GET /v1/usage',
      detail: { status: 401, code: 'unauthorized', address: '127.0.0.1', count: 1 },
    },
    {
      actor: `key:${made.id}`,
      target: 'PUT /v1/policy',
      detail: { status: 403, code: 'forbidden', address: '127.0.0.1', count: 1 },
    },
  ]);
  const { body } = await admin.call<{ data: { target: string }[] }>(
    'GET',
    '/v1/audit?action=request.refused',
  );
  expect(body.data.map(({ target }) => target)).toContain('PUT /v1/policy');
  expect(stack.api.output()).toMatch(/"status":403,"code":"forbidden","method":"PUT","route":"\/v1\/policy"/);
});

/** Runs work while nobody can read or write this table. */
async function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

test('A100 searches of messages take search slots, two of a project at a time', async () => {
  const key = await stack.addProject('searching');
  const api = apiOf({ url: stack.url, key });
  await api.append('searched', { role: 'user', content: 'a word' });
  const codes: string[] = [];
  let asked: Promise<unknown>[] = [];
  await whileLocked('messages', async () => {
    asked = Array.from({ length: 5 }, () =>
      api
        .call<{ code: string }>('GET', '/v1/threads/searched/search?q=word')
        .then(({ status, body }) => codes.push(status === 429 ? body.code : 'answered')),
    );
    await until('three were refused', () => Promise.resolve(codes.length === 3));
    expect(codes).toEqual(Array.from({ length: 3 }, () => 'too_many_searches'));
  });
  await Promise.all(asked);
});

test('A100 a search that finds the slots of its project taken waits for one', async () => {
  const api = apiOf({ url: stack.url, key: await stack.addProject('searching at once') });
  await api.append('searched', { role: 'user', content: 'a word' });
  let asked: Promise<{ status: number }>[] = [];
  await whileLocked('messages', async () => {
    asked = Array.from({ length: 5 }, () => api.call('GET', '/v1/threads/searched/search?q=word'));
    await untilLocked(stack.databaseUrl, 2);
  });
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test('A100 reads of one project that all wait for the database leave connections to another', async () => {
  const api = apiOf({ url: stack.url, key: await stack.addProject('reading') });
  await api.append('read', { role: 'user', content: 'a word' });
  let answered = 0;
  let asked: Promise<unknown>[] = [];
  await whileLocked('messages', async () => {
    asked = Array.from({ length: 40 }, () =>
      api.call('GET', '/v1/threads/read/messages').then(() => answered++),
    );
    const admin = apiOf(stack);
    // All that one project may hold.
    await untilLocked(stack.databaseUrl, 6);
    for (let i = 0; i < 5; i++) expect((await admin.call('GET', '/v1/keys')).status).toBe(200);
    expect(answered).toBe(0);
  });
  await Promise.all(asked);
});

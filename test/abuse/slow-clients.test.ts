import { connect } from 'node:net';
import { apiOf, openEvents, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hangUpWhileLocked } from '../hang-up.js';
import { exchange, statuses } from './hostile.js';

let stack: Stack;
let at: { host: string; port: number };
beforeAll(async () => {
  const env = { SPILLWAY_HEADERS_TIMEOUT_MS: '800', SPILLWAY_REQUEST_TIMEOUT_MS: '2000' };
  stack = await startStack({ workers: 0, redis: false, env });
  const { hostname, port } = new URL(stack.url);
  at = { host: hostname, port: Number(port) };
});
afterAll(() => stack?.stop());

const head = () =>
  `POST /v1/threads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.key}\r\nContent-Type: application/json\r\n`;

test('A22 headers that never end are given up', async () => {
  const received = await exchange(at, `${head()}X-Slow: `, { keepOpen: true });
  expect(statuses(received)).toEqual([408]);
  expect(received).toContain('"code":"request_timeout"');
});

test('A22 a connection on which nothing came is closed without an answer', async () => {
  expect(await exchange(at, '', { keepOpen: true })).toBe('');
});

test('A22 a body that never ends is given up', async () => {
  const received = await exchange(at, `${head()}Content-Length: 100\r\n\r\n{`, { keepOpen: true });
  expect(statuses(received)).toEqual([408]);
});

test('A22 a byte now and then does not keep a request alive', async () => {
  const socket = connect(at);
  socket.on('error', () => socket.destroy());
  const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
  socket.write(`${head()}Transfer-Encoding: chunked\r\n\r\n`);
  const trickle = setInterval(() => socket.write('1\r\nx\r\n'), 100);
  socket.resume();
  expect(await closed).toBe('closed');
  clearInterval(trickle);
});

test('A22 two hundred that say nothing keep nobody else out', async () => {
  const silent = Array.from({ length: 200 }, () => {
    const socket = connect(at);
    socket.on('error', () => socket.destroy());
    socket.write('POST /v1/threads HTTP/1.1\r\nHost: x\r\n');
    return socket;
  });
  try {
    expect((await apiOf(stack).call('GET', '/v1/threads')).status).toBe(200);
  } finally {
    for (const socket of silent) socket.destroy();
  }
});

test('A20 gigabytes that are announced and never come take no room from others', async () => {
  const liars = Array.from({ length: 5 }, () => {
    const socket = connect(at);
    socket.on('error', () => socket.destroy());
    socket.write(`${head()}Content-Length: 21474836480\r\n\r\n{`);
    return socket;
  });
  try {
    const api = apiOf(stack);
    for (let i = 0; i < 20; i++) await api.append('beside-liars', { role: 'user', content: `message ${i}` });
    expect((await api.thread('beside-liars')).last_seq).toBe(20);
  } finally {
    for (const socket of liars) socket.destroy();
  }
});

test('A118 clients that hang up while their key is looked up take no room from later ones', async () => {
  const admin = apiOf(stack);
  const made = await admin.call<{ key: string }>('POST', '/v1/keys', {
    name: 'impatient',
    scopes: ['admin'],
  });
  const { key } = made.body;
  const head = (line: string, headers = '') =>
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
  const body = `Content-Type: application/json\r\nContent-Length: ${8 * 1024 * 1024}\r\n`;
  const each = [head('POST /v1/threads/impatient/messages', body), head('GET /v1/events')];
  await hangUpWhileLocked(stack, 'api_keys', Array.from({ length: 10 }, () => each).flat());
  const api = apiOf({ url: stack.url, key });
  const text = { role: 'user', content: 'x'.repeat(4_000_000) };
  expect((await api.call('POST', '/v1/threads/patient/messages', { messages: [text] })).status).toBe(201);
  const stream = await openEvents({ url: stack.url, key });
  expect(stream.status).toBe(200);
  stream.close();
});

import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, memory: 'production' });
  api = apiOf(stack);
  await recordLarge(api, 2);
});
afterAll(() => stack?.stop());

const content = 'All work and no play makes a dull thread. '.repeat(180_000);

/** Records messages of 7.5 MB each. */
async function recordLarge(to: Api, messages: number): Promise<void> {
  await to.createThread({ id: 'large', policy: { context: { context_window: 10_000_000 } } });
  for (let n = 0; n < messages; n++) await to.append('large', { role: 'user', content });
}

/** Asks for a page and reads the head of the answer alone. Returns the status. */
function askAndStall(path: string, { url, key }: { url: string; key: string }): Promise<Asked> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The connection was closed.')));
    socket.once('data', (head: Buffer) => {
      socket.pause();
      resolve({ status: Number(head.toString('latin1').slice(9, 12)), socket });
    });
  });
}

interface Asked {
  status: number;
  socket: Socket;
}

/** 15 MB. */
const page = '/v1/threads/large/messages?limit=2';
const readers = 50;

test('A132 slow readers of large pages: those beyond the limits are refused, and others go on', async () => {
  const made = await api.call<{ key: string }>('POST', '/v1/keys', {
    name: 'other',
    scopes: ['context:read'],
  });
  const otherKey = { url: stack.url, key: made.body.key };
  const otherProject = { url: stack.url, key: await stack.addProject('other') };
  await recordLarge(apiOf(otherProject), 1);

  const sockets: Socket[] = [];
  const statuses = async (times: number, of: { url: string; key: string }) => {
    const found: number[] = [];
    for (let n = 0; n < times; n++) {
      const { status, socket } = await askAndStall(page, of);
      found.push(status);
      sockets.push(socket);
    }
    return found;
  };
  // 64 MiB of a key.
  const ofKey = Array.from({ length: readers }, (_, i) => (i < 4 ? 200 : 429));
  expect(await statuses(readers, stack)).toEqual(ofKey);
  // 96 MiB of a project.
  expect(await statuses(3, otherKey)).toEqual([200, 200, 429]);
  // 128 MiB of a process; a page of this project has half as much.
  expect(await statuses(6, otherProject)).toEqual([200, 200, 200, 200, 200, 503]);
  await api.append('small', { role: 'user', content: 'hello' });
  expect((await api.context('small')).messages).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await until('a page is given again', async () => (await api.call('GET', page)).status === 200);
});

test('A132 a client that takes nothing of a large page loses its connection, and its share is free again', async () => {
  const { url } = await stack.startApi({ SPILLWAY_TIME_DIVISOR: '30' });
  const given = [];
  for (let n = 0; n < 4; n++) given.push(await askAndStall(page, { url, key: stack.key }));
  expect(given.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const again = apiOf({ url, key: stack.key });
  await until('a page is given again', async () => (await again.call('GET', page)).status === 200);
  for (const { socket } of given) socket.destroy();
});

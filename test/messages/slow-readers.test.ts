import { apiOf, startStack, until, type Stack } from '@spillway/testing';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, memory: 'production' });
});
afterAll(() => stack?.stop());

/** Asks for a page and reads the head of the answer alone. Returns the status. */
function askAndStall(path: string): Promise<{ status: number; socket: Socket }> {
  const { hostname, port } = new URL(stack.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.key}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The connection was closed.')));
    socket.once('data', (head: Buffer) => {
      socket.pause();
      resolve({ status: Number(head.toString('latin1').slice(9, 12)), socket });
    });
  });
}

const readers = 50;

test('A132 slow readers of large pages: those beyond the limits are refused, and others go on', async () => {
  const api = apiOf(stack);
  await api.createThread({ id: 'large', policy: { context: { context_window: 10_000_000 } } });
  const content = 'All work and no play makes a dull thread. '.repeat(180_000);
  for (let n = 0; n < 2; n++) await api.append('large', { role: 'user', content });
  const page = '/v1/threads/large/messages?limit=2';

  const answers = [];
  for (let n = 0; n < readers; n++) answers.push(await askAndStall(page));
  const given = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(readers - given.length);
  // 64 MiB of pages of 15 MB.
  expect(given).toHaveLength(4);
  await api.append('small', { role: 'user', content: 'hello' });
  expect((await api.context('small')).messages).toHaveLength(1);
  for (const { socket } of answers) socket.destroy();
  await until('a page is given again', async () => (await api.call('GET', page)).status === 200);
});

import { apiOf, startStack, type Stack } from '@spillway/testing';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, logOf, upload } from '../uploads/upload-client.js';

let stack: Stack;
beforeAll(async () => {
  // A download may stall for three seconds instead of a minute.
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_TIME_DIVISOR: '20' } });
});
afterAll(() => stack?.stop());

test('a download whose client takes nothing ends, and one that pauses for less comes whole', async () => {
  const api = apiOf(stack);
  await api.append('downloads', { role: 'user', content: 'go' }, call());
  // More than the sockets of both sides hold.
  const { body } = await upload({ url: stack.url, key: stack.key, thread: 'downloads' }, logOf(32));
  await api.append('downloads', { role: 'tool', tool_call_id: 'c1', content: body.stub });
  const { id, bytes: size } = body.output;
  const { hostname, port } = new URL(stack.url);
  const download = async (pauses: number[]) => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    let received = 0;
    socket.on('error', () => undefined);
    socket.write(
      `GET /v1/outputs/${id}/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.key}\r\nConnection: close\r\n\r\n`,
    );
    socket.on('data', (chunk) => (received += chunk.length));
    for (const ms of pauses) {
      await once(socket, 'data');
      socket.pause();
      await sleep(ms);
      socket.resume();
    }
    await once(socket, 'close');
    return received;
  };
  expect(await download([500, 500, 500])).toBeGreaterThan(size);
  expect(await download([10_000])).toBeLessThan(size);
});

// @module-tag long
import { apiOf, startStack, until, type Stack } from '@spillway/testing';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hangUpWhileLocked } from '../hang-up.js';
import { lockHolder } from '../races/lock-holder.js';
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

test('an export that waits for the database, and not for its client, comes whole', async () => {
  const api = apiOf(stack);
  await api.append('late', { role: 'user', content: 'go' });
  const holder = await lockHolder(stack.databaseUrl);
  onTestFinished(() => holder.close());
  await holder.holdTable('messages');
  const exported = api.call('GET', '/v1/threads/late/export?format=jsonl');
  // Longer than a client may take nothing, and shorter than a statement waits for a lock.
  await Promise.race([sleep(4_000), exported]);
  await holder.release();
  expect(await exported).toMatchObject({ status: 200, body: expect.stringContaining('go') as string });
});

test('downloads whose clients hang up before the first byte leave no file open', async () => {
  const api = apiOf(stack);
  await api.append('hung-up', { role: 'user', content: 'go' }, call());
  const { body } = await upload({ url: stack.url, key: stack.key, thread: 'hung-up' }, logOf(2));
  await api.append('hung-up', { role: 'tool', tool_call_id: 'c1', content: body.stub });
  const path = `/v1/outputs/${body.output.id}/content`;
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.key}\r\n\r\n`;
  await hangUpWhileLocked(stack, 'outputs', Array<string>(8).fill(head));
  // A read that is answered comes after them.
  expect((await api.call('GET', path)).status).toBe(200);
  await until('no file of an output is open', () => Promise.resolve(filesOfOutputs().length === 0));
});

/** Files of the store that the API has open. */
function filesOfOutputs(): string[] {
  const folder = `/proc/${stack.api.pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      const file = readlinkSync(`${folder}/${fd}`);
      return file.startsWith(stack.outputsFolder) ? [file] : [];
    } catch (error) {
      // Closed since it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

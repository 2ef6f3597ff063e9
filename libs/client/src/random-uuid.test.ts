import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { Spillway } from './index.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

afterEach(() => vi.unstubAllGlobals());

test('a page that came over plain HTTP, which has no crypto.randomUUID, appends, rewinds and forks', async () => {
  const asked: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ headers: request.headers, body });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const thread = new Spillway({ baseUrl: `http://127.0.0.1:${port}`, key: 'key' }).thread('t');
  const secure = crypto;
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => secure.getRandomValues(bytes),
  });
  await thread.append({ role: 'user', content: 'hello' });
  await thread.rewind(0);
  await thread.fork();
  server.close();
  const ids = asked.map(
    ({ headers, body }) => headers['idempotency-key'] ?? (JSON.parse(body) as { id: string }).id,
  );
  expect(ids).toEqual([
    expect.stringMatching(uuid),
    expect.stringMatching(uuid),
    expect.stringMatching(uuid),
  ]);
  expect(new Set(ids).size).toBe(3);
});

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { forward } from './forward';

/** An API that answers as it is told; the console forwards to it until the test ends. */
async function startApi(answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  vi.stubEnv('API_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
}

const ask = (waitMs: number) =>
  forward(new Request('http://console.test/api/v1/threads'), '/v1/threads', 'token', waitMs);

test('an API that takes a request and never answers is reported', async () => {
  await startApi(() => undefined);
  const answer = await ask(100);
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({
    title: 'The API does not answer',
    code: 'api_timeout',
    detail: expect.stringContaining('within 0.1 s') as string,
  });
});

test('an answer that has begun may take longer than the limit', async () => {
  await startApi((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[');
    setTimeout(() => response.end(']'), 400);
  });
  const answer = await ask(200);
  expect([answer.status, await answer.text()]).toEqual([200, '[]']);
});

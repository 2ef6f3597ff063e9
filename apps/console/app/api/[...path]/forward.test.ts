import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
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

const ask = (answerMs: number, silenceMs?: number) =>
  forward(new Request('http://console.test/api/v1/threads'), '/v1/threads', 'token', {
    answerMs,
    silenceMs,
  });

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

test('a connection that the API closes as it is used again does not fail a read', async () => {
  let requests = 0;
  await startApi((request, response) => {
    // Every second request finds its connection closed.
    if (requests++ % 2 === 1) request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  for (let n = 0; n < 4; n++) expect((await ask(30_000)).status).toBe(200);
  expect(requests).toBeGreaterThan(4);
  requests = 1;
  const write = new Request('http://console.test/api/v1/keys', { method: 'POST', body: '{}' });
  expect((await forward(write, '/v1/keys', 'token')).status).toBe(502);
});

test('an answer that has begun may take longer than the limit', async () => {
  await startApi((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[');
    setTimeout(() => response.end(']'), 1_500);
  });
  const answer = await ask(1_000);
  expect([answer.status, await answer.text()]).toEqual([200, '[]']);
});

test('a stream of events goes on while the API writes, and ends when it falls silent', async () => {
  const beat = ': alive\n\n';
  let write = (): void => undefined;
  await startApi((_, response) => {
    write = () => void response.write(beat);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answer = await ask(60_000, 45_000);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let n = 0; n < 4; n++) {
    await vi.advanceTimersByTimeAsync(44_000);
    write();
    expect(await reader.read()).toEqual({ done: false, value: beat });
  }
  const silent = expect(reader.read()).rejects.toThrow('aborted');
  await vi.advanceTimersByTimeAsync(45_000);
  await silent;
});

test('the API is told the address of the client, and no other header that it has no use for', async () => {
  let sent: IncomingHttpHeaders = {};
  await startApi((request, response) => {
    sent = request.headers;
    response.end();
  });
  const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.7', cookie: 'a=b', 'x-real-ip': '203.0.113.9' };
  await forward(new Request('http://console.test/api/v1/threads', { headers }), '/v1/threads', 'token');
  expect(sent).toMatchObject({ 'x-forwarded-for': '203.0.113.9, 192.0.2.7', authorization: 'Bearer token' });
  expect([sent.cookie, sent['x-real-ip']]).toEqual([undefined, undefined]);
});

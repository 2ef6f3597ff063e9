import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { post } from '../outbound/post.js';
import { callProvider } from './call-provider.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Long enough for the head of an answer of this machine, however busy it is. */
const timeoutMs = 3_000;

async function call(answer: RequestListener): Promise<Response> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return callProvider(
    { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: null, post },
    { path: '/chat/completions', provider: 'openai' },
    { body: {}, headers: {}, ownKey: null, signal: new AbortController().signal },
    timeoutMs,
  );
}

/** Answers at once, and ends the body after the time is over. */
const slow =
  (contentType: string): RequestListener =>
  (_, response) => {
    void (async () => {
      response.writeHead(200, { 'content-type': contentType });
      response.write('first ');
      await setTimeout(timeoutMs + 500);
      response.end('last');
    })();
  };

describe('the longest answer', () => {
  test('does not bound a stream whose bytes flow', async () => {
    const answer = await call(slow('text/event-stream; charset=utf-8'));
    expect(await answer.text()).toBe('first last');
  });

  test('bounds an answer in one piece', async () => {
    const answer = await call(slow('application/json'));
    await expect(answer.text()).rejects.toThrow();
  });

  test('bounds the wait for a stream', async () => {
    await expect(call(() => undefined)).rejects.toThrow(`did not answer within ${timeoutMs} ms`);
  });
});

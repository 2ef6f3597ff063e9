import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { postOver, publicPost } from './public-post.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server of this machine under a name that only the lookup of the test knows. */
async function serve(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://provider.test:${(server.address() as AddressInfo).port}/v1/chat`;
}
const here: LookupFunction = (_, options, callback) =>
  options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
const request = (signal = new AbortController().signal) => ({
  headers: { authorization: 'Bearer sk', 'content-type': 'application/json' },
  body: '{"text":"Grüße"}',
  signal,
});

describe('a post to the address of a project', () => {
  test('sends the body whole, and returns status, headers and bytes as they come', async () => {
    const ended = Promise.withResolvers<void>();
    let got = '';
    const url = await serve((asked, answer) => {
      void (async () => {
        got = `${asked.method} ${asked.url} ${asked.headers.authorization} ${await text(asked)}`;
        answer.writeHead(201, { 'x-request-id': 'r1', 'x-two': ['a', 'b'] });
        answer.write('first');
        await ended.promise;
        answer.end('second');
      })();
    });
    const answer = await postOver(here)(url, request());
    expect(got).toBe('POST /v1/chat Bearer sk {"text":"Grüße"}');
    expect([answer.status, answer.headers.get('x-request-id'), answer.headers.get('x-two')]).toEqual([
      201,
      'r1',
      'a, b',
    ]);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('first');
    ended.resolve();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('second');
    expect((await reader.read()).done).toBe(true);
  });

  test('follows no redirect, and takes nothing compressed', async () => {
    const redirect = await serve((_, answer) => answer.writeHead(307, { location: 'http://x.test/' }).end());
    await expect(postOver(here)(redirect, request())).rejects.toThrow('redirect');
    server!.close();
    const packed = await serve((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end());
    await expect(postOver(here)(packed, request())).rejects.toThrow('gzip');
  });

  test('an answer without a body is one', async () => {
    const url = await serve((_, answer) => answer.writeHead(204).end());
    const answer = await postOver(here)(url, request());
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test('ends with its caller, before and within the answer', async () => {
    const left = Promise.withResolvers<void>();
    const url = await serve((_, answer) => {
      answer.writeHead(200).write('half');
      answer.once('close', () => left.resolve());
    });
    const abort = new AbortController();
    const answer = await postOver(here)(url, request(abort.signal));
    abort.abort();
    await expect(answer.text()).rejects.toThrow();
    await left.promise;
    await expect(postOver(here)(url, request(abort.signal))).rejects.toThrow('aborted');
  });

  test('a cut answer is an error, not its end', async () => {
    const url = await serve((_, answer) => {
      answer.writeHead(200, { 'content-length': '100' });
      answer.write('half', () => answer.destroy());
    });
    const answer = await postOver(here)(url, request());
    await expect(answer.text()).rejects.toThrow();
  });

  test.each(['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://localhost:1/', 'http://169.254.169.254/'])(
    '%s gets no connection',
    async (url) => {
      await expect(publicPost(url, request())).rejects.toThrow('private_address');
    },
  );
});

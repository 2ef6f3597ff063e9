import { expect, test } from 'vitest';
import { Spillway } from './spillway.js';

test('an abort ends a stream that waits to connect again', async () => {
  let connections = 0;
  let isLater = false;
  const stop = new AbortController();
  const refused = () => {
    connections++;
    // Aborts once the stream has begun to wait: the first pause takes half a second.
    setTimeout(() => {
      stop.abort();
      setTimeout(() => (isLater = true), 100);
    }, 20);
    return Promise.reject(new TypeError('fetch failed'));
  };
  const spillway = new Spillway({ baseUrl: 'http://127.0.0.1:1', key: 'k', fetch: refused, maxRetries: 0 });
  for await (const event of spillway.events({ signal: stop.signal })) expect(event).toBeUndefined();
  expect(connections).toBe(1);
  expect(isLater).toBe(false);
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { AgentThreads } from './agent-threads.js';

test('a context that waits behind another call ends with the reason of its signal, and counts as no bypass', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const threads = new AgentThreads('openai', {
    baseUrl: `http://127.0.0.1:${port}`,
    key: 'key',
    timeoutMs: 2_000,
    maxRetries: 0,
    log: () => undefined,
  });
  const thread = threads.thread('t');
  const history = [{ role: 'user', content: 'hello' }];
  const recording = thread.record({ history });
  await once(silent, 'request');
  const stop = new AbortController();
  const outcomes: string[] = [];
  const waiting = thread.context({ history, signal: stop.signal }).then(
    () => outcomes.push('a context'),
    (error: unknown) => outcomes.push(String(error)),
  );
  void recording.then(() => outcomes.push('recorded'));
  stop.abort(new Error('enough'));
  await Promise.all([waiting, recording]);
  expect(outcomes).toEqual(['Error: enough', 'recorded']);
  await expect(thread.context({ history, signal: stop.signal })).rejects.toThrow('enough');
  expect(threads.status.bypassed_calls).toBe(0);
  // What follows still has its turn.
  expect(await thread.context({ history })).toBeNull();
  silent.closeAllConnections();
  silent.close();
});

test('a key that cannot be had is an outage: the agent goes on with its own messages', async () => {
  const lines: string[] = [];
  const threads = new AgentThreads('openai', {
    baseUrl: 'http://127.0.0.1:9',
    key: () => Promise.reject(new TypeError('The issuer is down.')),
    log: (line) => lines.push(line),
  });
  const context = await threads.thread('t').context({ history: [{ role: 'user', content: 'hello' }] });
  expect(context).toBeNull();
  expect(threads.status).toMatchObject({ state: 'down', bypassed_calls: 1 });
  expect(lines[0]).toContain('The issuer is down.');
});

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { MatchEnded, withMatcher } from './matcher.js';

const pattern = { pattern: 'a+b', ignoreCase: false };

test('the start of a thread does not count as time of a search', async () => {
  const took = await withMatcher(async (matcher) => {
    const began = performance.now();
    // A millisecond may be too little for the pattern. It begins when the thread has started, which takes tens of them.
    await matcher
      .ask(pattern, { cpuMs: 1 })
      .catch((error: unknown) => expect(error).toBeInstanceOf(MatchEnded));
    return performance.now() - began;
  });
  expect(took).toBeGreaterThan(5);
});

test('a search that nobody waits for is ended, also while its thread starts', async () => {
  const waiting = new AbortController();
  const asked = withMatcher((matcher) => matcher.ask(pattern, { cpuMs: 10_000 }, waiting.signal));
  waiting.abort();
  await expect(asked).rejects.toBeInstanceOf(MatchEnded);
});

test('a thread that has started answers the next search', async () => {
  const size = await withMatcher((matcher) => matcher.ask(pattern, { cpuMs: 10_000 }));
  expect(size).toEqual({ programSize: expect.any(Number) as number });
  expect(await withMatcher((matcher) => matcher.ask(pattern, { cpuMs: 10_000 }))).toEqual(size);
});

test('where many threads want a core, a search has its time of one all the same, and ends after it', async () => {
  const text = Array.from({ length: 4 }, () => `${'a'.repeat(30_000)}!`).join('\n');
  const rows = { text, first: 0, skip: 0, reach: 30_000, shown: { before: 0, total: 100 }, limit: 10 };
  await withMatcher(async (matcher) => {
    await matcher.ask({ pattern: '(a+)+$|(a|a)*b', ignoreCase: false }, { cpuMs: 10_000 });
    let aloneMs = Infinity;
    for (let n = 0; n < 3; n++) {
      const began = performance.now();
      await matcher.ask(rows, { cpuMs: 10_000 });
      aloneMs = Math.min(aloneMs, performance.now() - began);
    }
    await crowd();
    expect(await matcher.ask(rows, { cpuMs: 3 * aloneMs })).toEqual({ matches: [] });
    await expect(matcher.ask(rows, { cpuMs: aloneMs / 10 })).rejects.toBeInstanceOf(MatchEnded);
  });
});

/** Starts eight threads for each core that compute until the test ends. */
async function crowd(): Promise<void> {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const spin = `
    const { parentPort, workerData: state } = require('node:worker_threads');
    parentPort.postMessage('ready');
    Atomics.wait(state, 0, 0);
    while (Atomics.load(state, 0) === 1);`;
  const threads = Array.from(
    { length: 8 * availableParallelism() },
    () => new Worker(spin, { eval: true, workerData: state }),
  );
  const setState = (to: number) => {
    Atomics.store(state, 0, to);
    Atomics.notify(state, 0);
  };
  onTestFinished(async () => {
    setState(2);
    await Promise.all(threads.map((thread) => thread.terminate()));
  });
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('message', resolve))));
  setState(1);
}

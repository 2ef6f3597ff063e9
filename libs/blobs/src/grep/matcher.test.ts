import { expect, test } from 'vitest';
import { MatchEnded, withMatcher } from './matcher.js';

const pattern = { pattern: 'a+b', ignoreCase: false };

test('the start of a thread does not count as time of a search', async () => {
  const took = await withMatcher(async (matcher) => {
    const began = performance.now();
    // A millisecond may be too little for the pattern. It begins when the thread has started, which takes tens of them.
    await matcher.ask(pattern, 1).catch((error: unknown) => expect(error).toBeInstanceOf(MatchEnded));
    return performance.now() - began;
  });
  expect(took).toBeGreaterThan(5);
});

test('a search that nobody waits for is ended, also while its thread starts', async () => {
  const waiting = new AbortController();
  const asked = withMatcher((matcher) => matcher.ask(pattern, 10_000, waiting.signal));
  waiting.abort();
  await expect(asked).rejects.toBeInstanceOf(MatchEnded);
});

test('a thread that has started answers the next search', async () => {
  const size = await withMatcher((matcher) => matcher.ask(pattern, 10_000));
  expect(size).toEqual({ programSize: expect.any(Number) as number });
  expect(await withMatcher((matcher) => matcher.ask(pattern, 10_000))).toEqual(size);
});

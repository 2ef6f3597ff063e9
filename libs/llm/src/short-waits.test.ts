import { expect, test } from 'vitest';
import { withShortWaits } from './short-waits.js';
import { SummarizerError, type SummarizerFailure } from './summarizer.js';

const failing = (failure: SummarizerFailure, retryAfterMs: number | null) => {
  let calls = 0;
  const call = () => {
    calls++;
    return Promise.reject(new SummarizerError(failure, 'stub', retryAfterMs));
  };
  return { call, calls: () => calls };
};
const never = new AbortController().signal;

test('a call is made again after a short delay of its provider', async () => {
  let calls = 0;
  const call = () =>
    ++calls < 3 ? Promise.reject(new SummarizerError('paused', 'stub', 5)) : Promise.resolve('done');
  expect(await withShortWaits(call, never)).toBe('done');
  expect(calls).toBe(3);
});

test.each<[string, SummarizerFailure, number | null]>([
  ['a long delay', 'rate_limited', 60_000],
  ['no delay', 'unavailable', null],
  ['a failure of the request', 'too_long', 5],
])('%s is left to a later attempt', async (_, failure, ms) => {
  const { call, calls } = failing(failure, ms);
  await expect(withShortWaits(call, never)).rejects.toMatchObject({ failure });
  expect(calls()).toBe(1);
});

test('a lost lease ends the delay', async () => {
  const lease = new AbortController();
  const { call, calls } = failing('rate_limited', 20_000);
  const waiting = withShortWaits(call, lease.signal);
  lease.abort();
  await expect(waiting).rejects.toThrow(/abort/);
  expect(calls()).toBe(1);
});

import { expect, test } from 'vitest';
import { lastErrorWords, nextWords, whyWords } from './pressure-words';

const compaction = { attempt: 1, generation: 0, covered_through: 0 };

test('a thread that retries says the error of the model, with one full stop', () => {
  const words = whyWords({
    ...compaction,
    state: 'backoff',
    error: 'The model failed: 500 upstream overloaded.',
  });
  expect(words).toBe('Summary model: The model failed: 500 upstream overloaded.');
});

test('a thread that is irreducible says its numbers', () => {
  const detail = {
    fixed_tokens: 20_515,
    limit_tokens: 7_904,
    trigger_tokens: 7_000,
    serves_context: false,
    smallest_window: 25_645,
  };
  expect(whyWords({ ...compaction, state: 'parked', reason: 'irreducible', detail })).toMatch(
    /^Fixed content needs 20,515 tokens; limit is 7,904\. Raise the window/,
  );
});

test('a parked thread says its reason and that compaction stopped', () => {
  expect(nextWords({ state: 'parked' }, 10)).toBe('compaction stopped');
  expect(whyWords({ ...compaction, state: 'parked', reason: 'auth' })).toMatch(
    /^Parked: the provider refused the key\. /,
  );
});

test('a thread that is tried again says what the last attempt ran into', () => {
  const error = 'The model failed: 500 upstream overloaded.';
  const words = 'The last attempt failed: The model failed: 500 upstream overloaded.';
  expect(lastErrorWords({ state: 'due', error })).toBe(words);
  expect(lastErrorWords({ state: 'running', error })).toBe(words);
  expect(lastErrorWords({ state: 'due' })).toBe(null);
  // Why a thread backs off or is parked has it already.
  expect(lastErrorWords({ state: 'backoff', error })).toBe(null);
});

test('a thread whose summary is proposed waits for people, not for a worker', () => {
  const prepared = { generation: 3, state: 'proposed' } as const;
  expect(nextWords({ state: 'due', prepared }, 10)).toBe('a summary waits for an approval');
  expect(nextWords({ state: 'due' }, 10)).toBe('compaction is due; a worker claims it next');
});

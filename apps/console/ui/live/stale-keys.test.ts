import { expect, test } from 'vitest';
import { eventTypes } from './event-types';
import { isRateLimited, liveNames, staleKeys } from './stale-keys';

test('each query that is kept up to date is made stale by some event', () => {
  const stale = eventTypes.flatMap((type) => staleKeys({ type, thread_id: 'a' }).map(([name]) => name));
  expect(new Set(stale)).toEqual(new Set(liveNames));
});

test('an erased message makes everything stale that quotes it', () => {
  const stale = staleKeys({ type: 'thread.changed', thread_id: 'a' });
  // Outputs that are erased with a message have events of their own.
  const quoting = liveNames.filter((name) => name !== 'outputs' && name !== 'output');
  expect(new Set(stale.map(([name]) => name))).toEqual(new Set(quoting));
  const ofThread = ['messages', 'context', 'search', 'excerpt', 'summaries', 'summary', 'instructions'];
  for (const name of ofThread) expect(stale).toContainEqual([name, 'a']);
});

test('a deleted output makes everything stale that may show its lines or its state', () => {
  const stale = staleKeys({ type: 'output.deleted', thread_id: 'a' });
  for (const name of ['messages', 'context', 'search', 'excerpt']) expect(stale).toContainEqual([name, 'a']);
});

test('facts are not made stale by an erased message: its summaries are withdrawn, and the API refuses their facts', () => {
  const names = staleKeys({ type: 'thread.changed', thread_id: 'a' }).map(([name]) => String(name));
  expect(names.filter((name) => name.startsWith('facts'))).toEqual([]);
});

test('a new message makes the instructions of its thread stale, at most as often as a list of threads', () => {
  const key = staleKeys({ type: 'message.recorded', thread_id: 'a' }).find(
    ([name]) => name === 'instructions',
  );
  expect(key).toEqual(['instructions', 'a']);
  expect(isRateLimited(key!)).toBe(true);
  expect(isRateLimited(['threads'])).toBe(true);
  expect(isRateLimited(['messages', 'a'])).toBe(false);
});

import { expect, test } from 'vitest';
import { press, sequenceBegun } from './sequence';

const done: string[] = [];
const entry = (keys: string) => ({ keys, does: keys, run: () => void done.push(keys) });
const entries = [entry('g s'), entry('g g'), entry('j'), { keys: 'n', does: 'listed only' }];

test('a first key waits for its second, which is then no key of its own', () => {
  expect(press('g', entries, 1_000)).toBeUndefined();
  expect(sequenceBegun(1_100)).toBe(true);
  expect(press('s', entries, 1_200)?.keys).toBe('g s');
  expect(sequenceBegun(1_300)).toBe(false);
});

test('a second key that comes late is a key of its own', () => {
  press('g', entries, 1_000);
  expect(sequenceBegun(3_000)).toBe(false);
  expect(press('j', entries, 3_000)?.keys).toBe('j');
});

test('the same key twice is a sequence, and an entry without an action does nothing', () => {
  press('g', entries, 1_000);
  expect(press('g', entries, 1_100)?.keys).toBe('g g');
  expect(press('n', entries, 1_200)).toBeUndefined();
});

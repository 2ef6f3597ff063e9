import { expect, test } from 'vitest';
import { generationWords, stateWords } from './instruction-words';

const one = {
  id: '1-0',
  seq: 1,
  text: 'Never push to main.',
  state: 'active' as const,
  participant: null,
  retired_by_seq: null,
  may_hold: false,
  source: 'found' as const,
  kind: 'prohibition' as const,
  approved: false,
  created_at: null,
  in_context: [],
  stands_in: 'message' as const,
};

test.each([
  [{}, 'active'],
  [{ approved: true }, 'active, approved'],
  [{ state: 'retired' as const, retired_by_seq: 9 }, 'retired by message 9'],
  [{ state: 'retired' as const, retired_by_seq: 9, may_hold: true }, 'probably replaced by message 9'],
  [{ state: 'dismissed' as const }, 'dismissed'],
  [{ state: 'possible' as const }, 'possible'],
])('state %o', (change, words) => {
  expect(stateWords({ ...one, ...change })).toBe(words);
});

test.each([
  [{}, 'none yet: its message is in the context'],
  [{ stands_in: null }, 'none'],
  [{ stands_in: 'summary' as const, in_context: [3, 2] }, '3, 2'],
  [{ stands_in: null, in_context: [2] }, '2; not now'],
  [{ stands_in: 'summary' as const, in_context: [9, 8, 7, 6, 5, 4, 3, 2] }, '9, 8, 7, 6, 5, 4 and 2 more'],
])('generations %o', (change, words) => {
  expect(generationWords({ ...one, ...change })).toBe(words);
});

import { expect, test } from 'vitest';
import { fitContext, groupUnits, type Entry } from '../index.js';

const entry = (seq: number, role: Entry['role'], tokens: number): Entry => ({
  seq,
  role,
  tokens,
  pinned: false,
  calls: [],
  answers: [],
  images: 0,
  item: false,
});

test('leaves out more when the notes about two gaps do not fit either', () => {
  // The newest user message is among the oldest and stays, so the omissions leave two gaps, each with a note.
  const messages = Array.from({ length: 29 }, (_, i) =>
    i === 2 ? entry(3, 'user', 30) : entry(i + 1, 'assistant', 40),
  );
  const fit = fitContext({ limit: 1_000, fixed: 0, carried: [], recent: groupUnits(messages) });
  expect(fit).toMatchObject({
    fits: true,
    elided: [
      { from_seq: 1, to_seq: 2 },
      { from_seq: 4, to_seq: 14 },
    ],
  });
});

test('is not one token over its limit', () => {
  const messages = Array.from({ length: 10 }, (_, i) => entry(i + 1, i === 0 ? 'user' : 'assistant', 40));
  const fitted = (limit: number) =>
    fitContext({ limit, fixed: 100, carried: [], recent: groupUnits(messages) });
  expect(fitted(500)).toMatchObject({ fits: true, elided: [] });
  expect(fitted(499)).toMatchObject({ fits: true, elided: [{ from_seq: 2, reason: 'over_budget' }] });
});

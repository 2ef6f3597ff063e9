import { describe, expect, test } from 'vitest';
import { budgetOf, cutProblem, resolvePolicy, type Entry } from '../index.js';

const entry = (seq: number, mark: string): Entry => {
  const kind = mark[0]!;
  const id = `call${mark.slice(1)}`;
  return {
    seq,
    role: kind === 'u' ? 'user' : kind === 'r' ? 'tool' : 'assistant',
    ...{ tokens: 100, pinned: false, images: 0, item: false },
    calls: kind === 'c' ? [id] : [],
    answers: kind === 'r' ? [id] : [],
  };
};
const problem = (picture: string, toSeq: number, keep_recent_turns: number | null = null) => {
  const input = { context: { context_window: 2_000, response_reserve: 0, keep_recent_turns } };
  const rules = { policy: resolvePolicy(input).context, budget: budgetOf(input, 2_000) };
  return cutProblem(
    picture.split(' ').map((mark, i) => entry(i + 1, mark)),
    toSeq,
    rules,
  );
};

describe('a cut that a caller chose', () => {
  test.each([
    ['lies between units', 'u a u a', 2, undefined],
    ['lies after a result', 'u c1 r1 a u', 3, undefined],
    ['separates a call from its result', 'u c1 r1 a u', 2, { kind: 'splits', fromSeq: 2, toSeq: 3 }],
    ['covers the newest unit', 'u a c1 r1', 4, { kind: 'protected', fromSeq: 3 }],
    ['covers a call that waits', 'u a c1 u', 3, { kind: 'protected', fromSeq: 3 }],
    ['covers a call that nobody waits for', 'u c1 u a u', 3, undefined],
    ['is no message of the thread', 'u a', 3, { kind: 'not_there', lastSeq: 2 }],
  ])('%s', (_what, picture, toSeq, expected) => {
    expect(problem(picture, toSeq)).toEqual(expected);
  });

  test('covers turns that the policy keeps', () => {
    expect(problem('u a u a u a', 3, 2)).toEqual({ kind: 'protected', fromSeq: 3 });
    expect(problem('u a u a u a', 2, 2)).toBeUndefined();
  });
});

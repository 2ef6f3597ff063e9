import { describe, expect, test } from 'vitest';
import {
  budgetOf,
  planAt,
  planCompaction,
  resolvePolicy,
  type Entry,
  type PlanInput,
  type PolicyInput,
} from '../index.js';

/**
 * A thread drawn as text: u a s are messages of 100 tokens, `c1` is a call, `r1` its result; `!` pins, `*` makes it
 * 1,000 tokens.
 */
function draw(picture: string): Entry[] {
  return picture.split(' ').map((mark, i) => {
    const id = /\d/.exec(mark)?.[0];
    const kind = mark[0]!;
    const role = { u: 'user', a: 'assistant', s: 'system', c: 'assistant', r: 'tool' }[kind] as Entry['role'];
    return {
      seq: i + 1,
      role,
      tokens: mark.includes('*') ? 1_000 : 100,
      pinned: mark.includes('!'),
      calls: kind === 'c' ? [`call${id}`] : [],
      answers: kind === 'r' ? [`call${id}`] : [],
      images: 0,
      item: false,
    };
  });
}

const plan = (
  picture: string,
  context: PolicyInput['context'] = {},
  { at: toSeq, ...asked }: Partial<PlanInput> & { at?: number } = {},
) => {
  const input: PolicyInput = {
    context: {
      context_window: 2_000,
      response_reserve: 0,
      trigger_ratio: 0.5,
      min_reclaim_ratio: 0.1,
      ...context,
    },
    summary: { max_tokens: 100 },
  };
  const recent = draw(picture);
  const leading = recent.filter(
    (entry, i) => entry.role === 'system' && recent.slice(0, i).every((e) => e.role === 'system'),
  );
  const planned: PlanInput = {
    policy: resolvePolicy(input).context,
    budget: budgetOf(input, 2_000),
    counter: { text: () => 3, perMessage: 4 },
    systemTokens: 0,
    leading,
    carried: [],
    summaryTokens: 0,
    coveredThrough: 0,
    recent,
    manual: false,
    ...asked,
  };
  return toSeq === undefined ? planCompaction(planned) : planAt(planned, toSeq);
};

describe('the cut', () => {
  test.each([
    ['keeps the newest messages within the reserve', 'u a u a u a u a u a', {}, 8],
    ['keeps at least the newest unit', 'u a u a u a u a u a', { reserve_ratio: 0 }, 9],
    ['never separates a call from its result', 'u a u a u a u a c1 r1', { reserve_ratio: 0.05 }, 8],
    ['keeps parallel work together', 'u a u a u a u a c1 r1 a', { reserve_ratio: 0.16 }, 8],
    ['keeps turns when asked to', 'u a a a u a a u a a', { keep_recent_turns: 2 }, 4],
    [
      'goes through one long turn that turns alone could not cut, as far as the reserve',
      'u a a a a a a a a a',
      { keep_recent_turns: 6 },
      8,
    ],
    ['keeps a call that is still open', 'u a u a u a u a u c1', { reserve_ratio: 0 }, 9],
    [
      'keeps a call that waits for a person, and what the user said since',
      'u a u a u a u c1 u u',
      { reserve_ratio: 0 },
      7,
    ],
    [
      'no longer keeps a call that the assistant went on without',
      'u a u a u a u c1 u a u',
      { reserve_ratio: 0 },
      10,
    ],
    [
      'does not keep a waiting call when the context would stay too long',
      'u a u a u c1 u u* u u',
      { reserve_ratio: 0 },
      9,
    ],
  ] as const)('%s', (_what, picture, context, toSeq) => {
    expect(plan(picture, context)).toMatchObject({ kind: 'compact', fromSeq: 1, toSeq });
  });

  test('carries pinned messages, and the newest user message when it is covered', () => {
    expect(plan('u a u! a u a a a a a')).toMatchObject({ toSeq: 8, carried: [3, 5] });
    expect(plan('u a u a u a u a u a', { reserve_ratio: 0.1 })).toMatchObject({ toSeq: 8, carried: [] });
  });

  test('carries a pinned call or result with its counterparts', () => {
    expect(plan('u a c1 r1! a u a a a a a')).toMatchObject({
      carried: [3, 4, 6],
      summarize: [1, 2, 5, 6, 7, 8, 9],
    });
  });

  test('does not summarize leading system messages, though the range starts at 1', () => {
    expect(plan('s s u a u a u a u a')).toMatchObject({
      fromSeq: 1,
      toSeq: 8,
      summarize: [3, 4, 5, 6, 7, 8],
    });
  });

  test('AgentScope: retries with reserve 0 when the reserve leaves nothing to cut', () => {
    expect(plan('u a* a', { reserve_ratio: 0.45 })).toMatchObject({ kind: 'compact', toSeq: 2 });
  });

  test('is not made when it would reclaim too little, unless someone asks for it', () => {
    expect(plan('s* u a u a', { reserve_ratio: 0, min_reclaim_ratio: 0.5 })).toEqual({
      kind: 'nothing',
      reason: 'too_little_to_reclaim',
      untilNext: false,
    });
    expect(plan('s* u a u a', { reserve_ratio: 0, min_reclaim_ratio: 0.5 }, { manual: true })).toMatchObject({
      kind: 'compact',
      toSeq: 4,
    });
    expect(plan('u', {}, { manual: true })).toEqual({
      kind: 'nothing',
      reason: 'nothing_to_cut',
      untilNext: false,
    });
  });

  test('says when only the newest unit is in the way, which stays until another follows', () => {
    const rules = { reserve_ratio: 0, min_reclaim_ratio: 0.5 };
    expect(plan('u a c1 r1*', rules)).toMatchObject({ kind: 'nothing', untilNext: true });
    expect(plan('u a c1 r1* a', rules)).toMatchObject({ kind: 'compact', toSeq: 4 });
  });

  test.each([
    ['a system message', 's* u a c1 r1'],
    ['a system message beside large results', 's* u a c1 r1*'],
    ['a pinned message', 'u a*! c1 r1'],
    ['a pinned result that is the newest', 'u a c1! r1*!'],
    ['the newest message of the user', 'u a u*'],
  ])('a further message changes nothing while %s takes the room', (_, picture) => {
    const rules = { reserve_ratio: 0, min_reclaim_ratio: 0.5 };
    expect(plan(picture, rules)).toMatchObject({ kind: 'nothing', untilNext: false });
  });
});

describe('a cut that was made earlier', () => {
  test('stays where it is, and everything after it is kept', () => {
    expect(plan('u a u a u a u a u a', {}, { at: 4 })).toMatchObject({
      kind: 'compact',
      fromSeq: 1,
      toSeq: 4,
      tokensKept: 603,
      tokensBefore: 1_003,
    });
  });

  test('keeps a result that came after its call was summarized', () => {
    expect(plan('u a c1 u a r1 u a', {}, { at: 4 })).toMatchObject({ toSeq: 4, summarize: [1, 2, 3, 4] });
  });

  test('carries the newest user message only while it is the newest', () => {
    expect(plan('u a u a a a', {}, { at: 4 })).toMatchObject({ toSeq: 4, carried: [3] });
    expect(plan('u a u a a u', {}, { at: 4 })).toMatchObject({ toSeq: 4, carried: [] });
  });

  test('does not ask again whether the cut is worth it, but never summarizes nothing', () => {
    expect(plan('u a u a u a u a', { min_reclaim_ratio: 0.9 }, { at: 2 })).toMatchObject({ kind: 'compact' });
    expect(plan('u! a* u a', {}, { at: 1 })).toMatchObject({ kind: 'nothing', reason: 'nothing_to_cut' });
  });
});

describe('what may be an instruction', () => {
  const picture = 'u a u a u a u a u a u a u a u a u a u a';
  const planWith = (tokens: Pick<PlanInput, 'instructionTokens' | 'possibleTokens'>, ratio = 0.1) =>
    plan(picture, { keep_recent_turns: 9, min_reclaim_ratio: ratio, reserve_ratio: 0.9 }, tokens);

  test('moves no cut, and takes what the instructions leave of their bound, then an eighth of the narrative', () => {
    const without = planWith({}, 0);
    if (without.kind === 'nothing') throw new Error('There is something to cut.');
    // A twentieth of what is replaced is saved.
    const replaced = without.tokensBefore - without.tokensKept - without.separatorTokens;
    const bound = Math.floor(replaced * 0.95) - without.summaryTokens;
    const eighth = Math.floor(without.summaryTokens / 8);
    for (const possibleTokens of [10, bound, bound + 1, 5_000]) {
      const given = Math.min(eighth, Math.max(0, possibleTokens - bound));
      expect(planWith({ possibleTokens }, 0)).toEqual({
        ...without,
        summaryTokens: without.summaryTokens - given,
        instructionTokens: Math.min(possibleTokens, bound + given),
      });
    }
    expect(planWith({ instructionTokens: 20, possibleTokens: 5_000 }, 0)).toMatchObject({
      instructionTokens: bound + eighth,
    });
  });

  test('takes nothing of what a compaction has to reclaim', () => {
    const cuts = Array.from({ length: 60 }, (_, i) => i / 40).flatMap((ratio) => {
      const cut = planWith({ possibleTokens: 5_000 }, ratio);
      if (cut.kind === 'nothing') return [];
      const replaced = cut.tokensBefore - cut.tokensKept - cut.separatorTokens;
      expect(replaced - cut.summaryTokens - cut.instructionTokens).toBeGreaterThanOrEqual(ratio * 1_000);
      return [(cut.summaryTokens + cut.instructionTokens) / replaced];
    });
    // The gain is what limits some of them, and not the twentieth that each saves.
    expect(cuts.filter((share) => share < 0.94)).not.toEqual([]);
    expect(cuts.filter((share) => share > 0.94)).not.toEqual([]);
  });
});

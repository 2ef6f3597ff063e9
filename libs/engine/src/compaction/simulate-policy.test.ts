import { describe, expect, test } from 'vitest';
import {
  budgetOf,
  resolvePolicy,
  simulatePolicy,
  type Entry,
  type PolicyInput,
  type Simulation,
} from '../index.js';

/** A user's message, then steps of an answer: messages of 100 tokens. */
const talk = (messages: number, over: (seq: number) => Partial<Entry> = () => ({})): Entry[] =>
  Array.from({ length: messages }, (_, i) => ({
    seq: i + 1,
    role: i % 2 === 0 ? 'user' : 'assistant',
    tokens: 100,
    pinned: false,
    calls: [],
    answers: [],
    images: 0,
    item: false,
    ...over(i + 1),
  }));

const base: PolicyInput = {
  context: { response_reserve: 0, trigger_ratio: 0.5, min_reclaim_ratio: 0.1 },
  summary: { max_tokens: 100 },
};

function simulate(
  entries: Entry[],
  context: PolicyInput['context'] = {},
  summary: PolicyInput['summary'] = {},
): Simulation & { pauses: number } {
  const input: PolicyInput = {
    context: { ...base.context, ...context },
    summary: { ...base.summary, ...summary },
  };
  const steps = simulatePolicy({
    policy: resolvePolicy(input),
    budget: budgetOf(input, 2_000),
    counter: { text: () => 3, perMessage: 4 },
    systemTokens: 0,
    entries,
  });
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { ...step.value, pauses };
  }
}

describe('a simulated thread', () => {
  test('is compacted when it reaches the trigger, and what stays is counted from there', () => {
    const { compactions, peakTokens } = simulate(talk(30));
    // 3 for the template, then 100 each: 1,003 with the tenth. 200 stay (a tenth of the window), the summary, and a
    // separator of 7 between that and the message of the user.
    expect(compactions[0]).toEqual({
      atSeq: 10,
      fromSeq: 1,
      toSeq: 8,
      tokensBefore: 1_003,
      tokensAfter: 310,
    });
    expect(compactions.map(({ atSeq }) => atSeq)).toEqual([10, 17, 24]);
    expect(compactions.map(({ fromSeq }) => fromSeq)).toEqual([1, 9, 16]);
    expect(peakTokens).toBe(1_003);
  });

  test('sends one context for each answer, as it is before the answer', () => {
    const { contexts, tokensSent } = simulate(talk(6));
    expect(contexts).toBe(3);
    expect(tokensSent).toBe(103 + 303 + 503);
  });

  test('sends one context for a step of several items', () => {
    const step = talk(4, (seq) => (seq > 1 ? { role: 'assistant', item: true } : {}));
    expect(simulate(step).contexts).toBe(1);
  });

  test('sends no more than the limit when nothing summarizes, and says how often it was cut', () => {
    const { compactions, tokensSent, overLimit, contexts } = simulate(talk(60), {}, { enabled: false });
    expect(compactions).toEqual([]);
    expect(overLimit).toBe(20);
    expect(tokensSent).toBeLessThanOrEqual(contexts * 2_000);
  });

  test('is parked when everything is pinned, and looked at again as it grows', () => {
    const { compactions, stuck } = simulate(talk(20, () => ({ pinned: true })));
    expect(compactions).toEqual([]);
    // Due with the tenth, and then whenever it grew by a twentieth of the trigger: with every message.
    expect(stuck).toBe(11);
  });

  test('of 12,000 pinned messages is not looked at again and again', () => {
    expect(simulate(talk(12_000, () => ({ pinned: true }))).stuck).toBeLessThan(60);
  });

  test('of no messages has nothing to say', () => {
    expect(simulate([])).toMatchObject({ compactions: [], contexts: 0, tokensSent: 0, fill: [] });
  });

  test('of 12,000 messages fits a chart, and pauses at least every 32 messages', () => {
    const { fill, pauses, compactions } = simulate(talk(12_000));
    expect(fill.length).toBeLessThanOrEqual(400);
    expect(fill.at(-1)!.seq).toBe(12_000);
    expect(pauses).toBeGreaterThanOrEqual(12_000 / 32 + compactions.length);
  });
});

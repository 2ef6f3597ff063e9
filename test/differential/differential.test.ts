import { loadCounter, presets, type MessageCounter } from '@spillway/engine';
import { agentScopeCut, chronosCut, chronosEstimate, dawnCut, type Plain } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { replay, type Counts } from './replay.js';
import { plainThreads, type PlainThread } from './thread-tokens.js';

let o200k: MessageCounter;
let estimate: MessageCounter;
let threads: PlainThread[];
const table: Record<string, Counts> = {};
beforeAll(async () => {
  o200k = { text: await loadCounter('o200k'), perMessage: 4 };
  estimate = { text: await loadCounter('estimate'), perMessage: 4 };
  threads = plainThreads(o200k);
  return () => console.table(table);
});
const note = (name: string, counts: Counts): Counts => (table[name] = counts);

describe("the dawn preset cuts where Dawn's rule does, and where that breaks ours does not", () => {
  const compare = (maxTokens: number, window: number) => {
    const { dawn } = presets;
    return replay(threads, {
      policy: { ...dawn, context: { ...dawn.context, max_tokens: maxTokens } },
      window,
      rule: (live, tokens) => dawnCut(live, tokens, { maxTokens, keepRecentTurns: 6 }),
    });
  };

  test.each([12_000, 4_000])('maxTokens %i', (maxTokens) => {
    const counts = note(`dawn ${maxTokens}`, compare(maxTokens, 128_000));
    expect(counts.equalCuts).toBeGreaterThan(0);
    // One user message and many tool calls: Dawn waits for turns that never come.
    expect(counts.neverCompacts).toBeGreaterThan(0);
    expect(counts.staysOverTrigger).toBeGreaterThan(0);
    expect(counts.splitsPair).toBe(0);
  });
});

describe("the chronos preset cuts where Chronos's rule does, and where that breaks ours does not", () => {
  const settings = (limit: number) => ({
    policy: presets.chronos,
    window: limit,
    rule: (live: readonly Plain[], tokens: number) =>
      chronosCut(live, tokens, { limit, threshold: 0.8, pairs: 5 }),
    turns: 5,
  });

  test.each([4_000, 8_000, 16_000])('threads as Chronos persists them, without tools, limit %i', (limit) => {
    const talk = plainThreads(
      estimate,
      ({ role, content }) => role !== 'tool' && typeof content === 'string' && content.trim() !== '',
    ).map((thread) => ({
      ...thread,
      entries: thread.entries.map((entry) => ({ ...entry, calls: [] })),
      messages: thread.messages.map((message) => ({ ...message, calls: [] })),
    }));
    // After an answer, where its pairs are whole; in the middle of an exchange 2 x N messages are never N turns.
    const asks = ({ role }: Plain) => role === 'assistant';
    const counts = note(`chronos ${limit}, no tools`, replay(talk, { ...settings(limit), asks }));
    expect(counts.equalCuts).toBeGreaterThan(0);
    expect(counts.startsMidTurn).toBeGreaterThan(0);
  });

  test.each([8_000, 16_000])('threads with their tool messages, limit %i', (limit) => {
    const counts = note(`chronos ${limit}`, replay(plainThreads(estimate), settings(limit)));
    expect(counts.equalCuts).toBeGreaterThan(0);
    // Ten messages of tool calls are no five exchanges, and start in the middle of a step.
    expect(counts.splitsPair).toBeGreaterThan(0);
    expect(counts.keepsFewerTurns).toBeGreaterThan(0);
  });

  test('our estimate counts every text as its estimator does', () => {
    for (const text of ['', 'a', 'four', 'five!', '日本語', 'x'.repeat(1_001)]) {
      expect(estimate.text(text) + estimate.perMessage).toBe(chronosEstimate([text]));
    }
  });
});

describe("the agentscope preset cuts where AgentScope's rule does, and where that breaks ours does not", () => {
  const compare = (window: number) =>
    replay(threads, {
      policy: presets.agentscope,
      window,
      rule: (live, tokens) => agentScopeCut(live, tokens, { window, triggerRatio: 0.8, reserveRatio: 0.1 }),
    });

  test.each([8_000, 16_000, 32_000])('window %i', (window) => {
    const counts = note(`agentscope ${window}`, compare(window));
    expect(counts.equalCuts).toBeGreaterThan(0);
    expect(counts.splitsPair).toBe(0);
    // A newest message over the reserve is summarized like the others.
    expect(counts.keepsNothing).toBeGreaterThan(0);
  });

  test('a window that its system prompt and a summary fill', () => {
    const counts = note('agentscope 3000', compare(3_000));
    expect(counts.summaryOverTrigger).toBeGreaterThan(0);
  });
});

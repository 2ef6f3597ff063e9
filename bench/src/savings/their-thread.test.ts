import { agentScopeCut, chronosCut, dawnCut, type Plain } from '@spillway/testing';
import { expect, test } from 'vitest';
import type { Counted } from './counted-message.js';
import { replayTheirs, type Theirs } from './their-thread.js';

const entry = (role: Plain['role'], tokens: number, more: Partial<Plain> = {}): Counted => ({
  plain: { role, tokens, calls: [], answers: null, ...more },
  characters: tokens * 4,
  tenLines: 0,
});
const shown: Theirs['shown'] = ({ plain }) => plain.tokens;

/** One question and then nothing but tool calls, of 300 tokens each with its result. */
const longTurn = [
  entry('user', 100),
  ...Array.from({ length: 40 }, (_, i) => [
    entry('assistant', 50, { calls: [`call-${i}`] }),
    entry('tool', 250, { answers: `call-${i}` }),
  ]).flat(),
];

test('full history: every message is sent again before each answer', () => {
  const all = { shown, cut: () => ({ due: false, keepFrom: null }) };
  const sent = replayTheirs(
    [entry('user', 10), entry('assistant', 20), entry('user', 30), entry('assistant', 40)],
    all,
    50,
  );
  expect(sent).toMatchObject({
    turns: 2,
    tokens: 3 + 10 + 3 + 60,
    over: 1,
    invalid: 0,
    compactions: 0,
    stuck: 0,
  });
});

test("one long turn under Dawn's rule is never compacted and leaves the window", () => {
  const cut: Theirs['cut'] = (live, tokens) =>
    dawnCut(live, tokens, { maxTokens: 2_000, keepRecentTurns: 6 });
  const sent = replayTheirs(longTurn, { shown, cut }, 8_000);
  expect(sent).toMatchObject({ compactions: 0, stuck: 1 });
  expect(sent.over).toBeGreaterThan(0);
});

test('a cut before the first message takes nothing and is no compaction', () => {
  const cut: Theirs['cut'] = (live, tokens) => dawnCut(live, tokens, { maxTokens: 50, keepRecentTurns: 1 });
  expect(replayTheirs([entry('user', 100), entry('assistant', 10)], { shown, cut }, 8_000)).toMatchObject({
    tokens: 103,
    compactions: 0,
    stuck: 1,
  });
});

test("Chronos's messages counted in twos keep results without their calls", () => {
  const cut: Theirs['cut'] = (live, tokens) =>
    chronosCut(live, tokens, { limit: 4_000, threshold: 0.8, pairs: 5 });
  // One more message in front: ten from the end is now a result.
  const sent = replayTheirs(
    [...longTurn.slice(0, 31), entry('assistant', 50), ...longTurn.slice(31)],
    { shown, cut },
    4_000,
  );
  expect(sent.compactions).toBeGreaterThan(0);
  expect(sent.invalid).toBeGreaterThan(0);
});

test('what comes back with each chat is summarized again with each chat', () => {
  const talk = Array.from({ length: 30 }, () => [entry('user', 100), entry('assistant', 100)]).flat();
  const cut: Theirs['cut'] = (live, tokens) =>
    chronosCut(live, tokens, { limit: 4_000, threshold: 0.8, pairs: 5 });
  const forgets = replayTheirs(talk, { shown, cut, reload: (all) => [...all] }, 4_000);
  const keeps = replayTheirs(talk, { shown, cut }, 4_000);
  expect(forgets.repeated).toBe(forgets.compactions - 1);
  expect(forgets.repeated).toBeGreaterThan(10);
  expect(keeps.repeated).toBe(0);
});

test("AgentScope's rule stays within the window and splits nothing", () => {
  const cut: Theirs['cut'] = (live, tokens) =>
    agentScopeCut(live, tokens, { window: 4_000, triggerRatio: 0.8, reserveRatio: 0.1 });
  expect(replayTheirs(longTurn, { shown, cut }, 4_000)).toMatchObject({ over: 0, invalid: 0, stuck: 0 });
});

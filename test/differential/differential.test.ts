import { loadCounter, type MessageCounter } from '@spillway/engine';
import { chronosEstimate, loadSamples } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { againstAgentScope, againstChronos, againstChronosWithoutTools, againstDawn } from './other-rules.js';
import { noCounts, type Counts } from './replay.js';
import { plainThreads, type PlainThread } from './thread-tokens.js';

const real = loadSamples();
let estimate: MessageCounter;
let byTokens: PlainThread[];
let byEstimate: PlainThread[];
beforeAll(async () => {
  estimate = { text: await loadCounter('estimate'), perMessage: 4 };
  byTokens = plainThreads(real, { text: await loadCounter('o200k'), perMessage: 4 });
  byEstimate = plainThreads(real, estimate);
});

/** The numbers are exact: whatever changes a cut changes one of them. What is not named is 0. */
const exactly = (counts: Partial<Counts>): Counts => ({ ...noCounts(), ...counts });

describe("the dawn preset cuts where Dawn's rule does, and where that breaks ours does not", () => {
  // One user message and many tool calls: Dawn waits for turns that never come (neverCompacts).
  test.each([
    [12_000, { points: 2_423, bothIdle: 2_384, equalCuts: 18, ours: 39, neverCompacts: 21 }],
    [
      4_000,
      {
        points: 2_423,
        bothIdle: 2_185,
        equalCuts: 93,
        ours: 215,
        oursAgain: 13,
        neverCompacts: 120,
        staysOverTrigger: 25,
      },
    ],
  ])('maxTokens %i', (maxTokens, counts) => {
    expect(againstDawn(byTokens, maxTokens)).toEqual(exactly(counts));
  });
});

describe("the chronos preset cuts where Chronos's rule does, and where that breaks ours does not", () => {
  test.each([
    [
      4_000,
      {
        points: 748,
        bothIdle: 723,
        equalCuts: 15,
        atLimit: 1,
        ours: 24,
        tooFewTurns: 2,
        keepsFewerTurns: 6,
        startsMidTurn: 1,
      },
    ],
    [8_000, { points: 748, bothIdle: 743, equalCuts: 4, ours: 5, keepsFewerTurns: 1 }],
    [16_000, { points: 748, bothIdle: 746, equalCuts: 1, ours: 2, keepsFewerTurns: 1 }],
  ])('threads as Chronos persists them, without tools, limit %i', (limit, counts) => {
    expect(againstChronosWithoutTools(real, estimate, limit)).toEqual(exactly(counts));
  });

  // Ten messages of tool calls are no five exchanges (keepsFewerTurns), and start in the middle of a step (splitsPair).
  test.each([
    [
      8_000,
      {
        points: 2_423,
        bothIdle: 2_351,
        atLimit: 1,
        ours: 69,
        splitsPair: 23,
        neverCompacts: 14,
        tooFewTurns: 5,
        keepsFewerTurns: 29,
      },
    ],
    [16_000, { points: 2_423, bothIdle: 2_400, ours: 23, splitsPair: 13, keepsFewerTurns: 10 }],
  ])('threads with their tool messages, limit %i', (limit, counts) => {
    expect(againstChronos(byEstimate, limit)).toEqual(exactly(counts));
  });

  test('our estimate counts every text as its estimator does', () => {
    for (const text of ['', 'a', 'four', 'five!', '日本語', 'x'.repeat(1_001)]) {
      expect(estimate.text(text) + estimate.perMessage).toBe(chronosEstimate([text]));
    }
  });
});

describe("the agentscope preset cuts where AgentScope's rule does, and where that breaks ours does not", () => {
  // A newest message over the reserve is summarized like the others (keepsNothing).
  test.each([
    [8_000, { points: 2_423, bothIdle: 2_344, equalCuts: 40, ours: 76, keepsNothing: 39 }],
    [16_000, { points: 2_423, bothIdle: 2_395, equalCuts: 17, ours: 28, keepsNothing: 11 }],
    [32_000, { points: 2_423, bothIdle: 2_413, equalCuts: 10, ours: 10 }],
  ])('window %i', (window, counts) => {
    expect(againstAgentScope(byTokens, window)).toEqual(exactly(counts));
  });

  test('a window that its system prompt and a summary fill', () => {
    expect(againstAgentScope(byTokens, 3_000)).toEqual(
      exactly({
        points: 2_423,
        bothIdle: 2_067,
        equalCuts: 127,
        largeMessage: 22,
        ours: 260,
        oursAgain: 11,
        summaryOverTrigger: 11,
        keepsNothing: 196,
      }),
    );
  });
});

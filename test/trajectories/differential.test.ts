import { loadCounter, type MessageCounter } from '@spillway/engine';
import { loadTrajectories } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  againstAgentScope,
  againstChronos,
  againstChronosWithoutTools,
  againstDawn,
} from '../differential/other-rules.js';
import { noCounts, type Counts } from '../differential/replay.js';
import { plainThreads, type PlainThread } from '../differential/thread-tokens.js';

const real = loadTrajectories();
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
    [
      12_000,
      {
        points: 3_720,
        bothIdle: 3_651,
        equalCuts: 21,
        ours: 67,
        oursAgain: 1,
        neverCompacts: 46,
        staysOverTrigger: 2,
      },
    ],
    [
      4_000,
      {
        points: 3_720,
        bothIdle: 3_170,
        equalCuts: 95,
        ours: 530,
        oursAgain: 66,
        neverCompacts: 439,
        staysOverTrigger: 16,
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
        points: 1_018,
        bothIdle: 797,
        equalCuts: 41,
        largeMessage: 11,
        ours: 210,
        oursAgain: 14,
        neverCompacts: 58,
        staysOverTrigger: 21,
        tooFewTurns: 11,
        keepsFewerTurns: 18,
        keepsMoreTurns: 1,
        startsMidTurn: 60,
      },
    ],
    [
      8_000,
      {
        points: 1_018,
        bothIdle: 978,
        equalCuts: 4,
        largeMessage: 10,
        ours: 30,
        neverCompacts: 5,
        tooFewTurns: 6,
        keepsFewerTurns: 8,
        startsMidTurn: 7,
      },
    ],
    [
      16_000,
      {
        points: 1_018,
        bothIdle: 985,
        equalCuts: 1,
        largeMessage: 21,
        ours: 12,
        oursAgain: 1,
        tooFewTurns: 1,
        keepsFewerTurns: 8,
        startsMidTurn: 2,
      },
    ],
  ])('threads as Chronos persists them, without tools, limit %i', (limit, counts) => {
    expect(againstChronosWithoutTools(real, estimate, limit)).toEqual(exactly(counts));
  });

  // Ten messages of tool calls are no five exchanges (keepsFewerTurns), and start in the middle of a step (splitsPair).
  test.each([
    [
      8_000,
      {
        points: 3_720,
        bothIdle: 3_567,
        equalCuts: 4,
        largeMessage: 25,
        atLimit: 1,
        ours: 124,
        oursAgain: 2,
        splitsPair: 34,
        neverCompacts: 25,
        tooFewTurns: 32,
        keepsFewerTurns: 29,
        startsMidTurn: 3,
      },
    ],
    [
      16_000,
      {
        points: 3_720,
        bothIdle: 3_642,
        equalCuts: 1,
        largeMessage: 36,
        ours: 42,
        splitsPair: 10,
        tooFewTurns: 17,
        keepsFewerTurns: 13,
        startsMidTurn: 1,
      },
    ],
  ])('threads with their tool messages, limit %i', (limit, counts) => {
    expect(againstChronos(byEstimate, limit)).toEqual(exactly(counts));
  });
});

describe("the agentscope preset cuts where AgentScope's rule does, and where that breaks ours does not", () => {
  // A newest message over the reserve is summarized like the others (keepsNothing).
  test.each([
    [
      8_000,
      {
        points: 3_720,
        bothIdle: 3_592,
        equalCuts: 71,
        largeMessage: 11,
        ours: 114,
        oursAgain: 1,
        keepsNothing: 46,
      },
    ],
    [16_000, { points: 3_720, bothIdle: 3_640, equalCuts: 32, largeMessage: 37, ours: 43, keepsNothing: 11 }],
    [32_000, { points: 3_720, bothIdle: 3_692, equalCuts: 16, largeMessage: 8, ours: 20, keepsNothing: 4 }],
  ])('window %i', (window, counts) => {
    expect(againstAgentScope(byTokens, window)).toEqual(exactly(counts));
  });

  test('a window that its system prompt and a summary fill', () => {
    expect(againstAgentScope(byTokens, 3_000)).toEqual(
      exactly({
        points: 3_720,
        bothIdle: 2_660,
        equalCuts: 176,
        largeMessage: 34,
        ours: 935,
        oursAgain: 208,
        summaryOverTrigger: 131,
        staysOverTrigger: 389,
        keepsNothing: 330,
      }),
    );
  });
});

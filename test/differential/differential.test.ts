import { loadCounter } from '@spillway/engine';
import { chronosEstimate, loadSamples } from '@spillway/testing';
import { expect, test } from 'vitest';
import { testCuts } from './cuts-as-theirs.js';

testCuts(loadSamples(), {
  dawn: [
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
  ],
  chronosWithoutTools: [
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
  ],
  chronos: [
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
  ],
  agentScope: [
    [8_000, { points: 2_423, bothIdle: 2_344, equalCuts: 40, ours: 76, keepsNothing: 39 }],
    [16_000, { points: 2_423, bothIdle: 2_395, equalCuts: 17, ours: 28, keepsNothing: 11 }],
    [32_000, { points: 2_423, bothIdle: 2_413, equalCuts: 10, ours: 10 }],
  ],
  agentScopeFilled: [
    3_000,
    {
      points: 2_423,
      bothIdle: 2_067,
      equalCuts: 127,
      largeMessage: 22,
      ours: 260,
      oursAgain: 11,
      summaryOverTrigger: 11,
      keepsNothing: 196,
    },
  ],
});

test("our estimate counts every text as Chronos's estimator does", async () => {
  const estimate = await loadCounter('estimate');
  for (const text of ['', 'a', 'four', 'five!', '日本語', 'x'.repeat(1_001)]) {
    expect(estimate(text) + 4).toBe(chronosEstimate([text]));
  }
});

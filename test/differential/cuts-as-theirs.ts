import { loadCounter, type MessageCounter } from '@spillway/engine';
import type { loadSamples } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { againstAgentScope, againstChronos, againstChronosWithoutTools, againstDawn } from './other-rules.js';
import { noCounts, type Counts } from './replay.js';
import { plainThreads, type PlainThread } from './thread-tokens.js';

/** A limit in tokens, and what comes out under it; what is not named is 0. */
type Row = readonly [limit: number, counts: Partial<Counts>];

/** What comes out for a set of threads. The numbers are exact: whatever changes a cut changes one of them. */
export interface ExpectedCuts {
  dawn: readonly Row[];
  chronosWithoutTools: readonly Row[];
  chronos: readonly Row[];
  agentScope: readonly Row[];
  /** In a window that its system prompt and a summary fill. */
  agentScopeFilled: Row;
}

const exactly = (counts: Partial<Counts>): Counts => ({ ...noCounts(), ...counts });

/** The tests that each preset cuts these threads where the rules that it follows do, and where those break ours does not. */
export function testCuts(threads: ReturnType<typeof loadSamples>, expected: ExpectedCuts): void {
  let estimate: MessageCounter;
  let byTokens: PlainThread[];
  let byEstimate: PlainThread[];
  beforeAll(async () => {
    estimate = { text: await loadCounter('estimate'), perMessage: 4 };
    byTokens = plainThreads(threads, { text: await loadCounter('o200k'), perMessage: 4 });
    byEstimate = plainThreads(threads, estimate);
  });

  describe("the dawn preset cuts where Dawn's rule does, and where that breaks ours does not", () => {
    // One user message and many tool calls: Dawn waits for turns that never come (neverCompacts).
    test.each(expected.dawn)('maxTokens %i', (maxTokens, counts) => {
      expect(againstDawn(byTokens, maxTokens)).toEqual(exactly(counts));
    });
  });

  describe("the chronos preset cuts where Chronos's rule does, and where that breaks ours does not", () => {
    test.each(expected.chronosWithoutTools)(
      'threads as Chronos persists them, without tools, limit %i',
      (limit, counts) => {
        expect(againstChronosWithoutTools(threads, estimate, limit)).toEqual(exactly(counts));
      },
    );

    // Ten messages of tool calls are no five exchanges (keepsFewerTurns), and start in the middle of a step (splitsPair).
    test.each(expected.chronos)('threads with their tool messages, limit %i', (limit, counts) => {
      expect(againstChronos(byEstimate, limit)).toEqual(exactly(counts));
    });
  });

  describe("the agentscope preset cuts where AgentScope's rule does, and where that breaks ours does not", () => {
    // A newest message over the reserve is summarized like the others (keepsNothing).
    test.each(expected.agentScope)('window %i', (window, counts) => {
      expect(againstAgentScope(byTokens, window)).toEqual(exactly(counts));
    });

    test('a window that its system prompt and a summary fill', () => {
      const [window, counts] = expected.agentScopeFilled;
      expect(againstAgentScope(byTokens, window)).toEqual(exactly(counts));
    });
  });
}

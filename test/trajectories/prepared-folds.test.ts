import {
  budgetOf,
  countMessage,
  entryOfMessage,
  formats,
  leadingThrough,
  loadCounter,
  planAhead,
  planAt,
  planCompaction,
  resolvePolicy,
  weigh,
  type Entry,
  type MessageCounter,
  type PolicyInput,
} from '@spillway/engine';
import { loadTrajectories } from '@spillway/testing';
import { expect, test } from 'vitest';

/** Summaries that a model writes for a thread under a policy, when each is as long as it may be. */
function callsOf(
  entries: readonly Entry[],
  input: PolicyInput,
  window: number,
  counter: MessageCounter,
): number {
  const policy = resolvePolicy(input).context;
  const budget = budgetOf(input, window);
  const through = leadingThrough(entries);
  const at = { live: 3, covered: 0, summary: 0, carried: [] as number[], parked: 0 };
  let ahead: { toSeq: number; tokens: number } | null = null;
  let calls = 0;
  for (let count = 1; count <= entries.length; count++) {
    at.live += weigh(entries[count - 1]!, budget.limit);
    const asked = {
      ...{ policy, budget, counter, systemTokens: 0, coveredThrough: at.covered, summaryTokens: at.summary },
      leading: entries.slice(0, Math.min(through, count)),
      carried: at.carried.filter((seq) => seq > through).map((seq) => entries[seq - 1]!),
      recent: entries.slice(at.covered, count),
      manual: false,
    };
    if (at.live >= budget.trigger && at.live >= at.parked) {
      const plan = ahead ? planAt(asked, ahead.toSeq) : planCompaction(asked);
      if (!ahead && plan.kind === 'compact') calls++;
      if (plan.kind === 'nothing') at.parked = at.live + budget.trigger / 20;
      else {
        at.summary = ahead?.tokens ?? plan.summaryTokens;
        Object.assign(at, { live: plan.tokensKept + at.summary, covered: plan.toSeq, carried: plan.carried });
        at.parked = 0;
      }
      ahead = null;
    } else if (!ahead && budget.prepare !== null && at.live >= budget.prepare && at.live < budget.trigger) {
      const plan = planAhead(asked, at.live);
      if (plan.kind === 'nothing') continue;
      calls++;
      ahead = { toSeq: plan.toSeq, tokens: plan.summaryTokens };
    }
  }
  return calls;
}

test('prepared folds take at most a twentieth more calls, and none where they are prepared at the old trigger', async () => {
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const threads = loadTrajectories().map(({ messages }) =>
    messages.map((body, i) => {
      const message = formats.openai.read(body);
      // Larger results are offloaded.
      const tokens = Math.min(3_000, countMessage(message, counter));
      return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format: 'openai' });
    }),
  );
  const all = { never: 0, prepared: 0 };
  for (const window of [8_000, 12_000, 16_000, 32_000, 64_000, 128_000]) {
    const total = { never: 0, prepared: 0, late: 0 };
    for (const entries of threads) {
      const of = (context: PolicyInput['context']) => callsOf(entries, { context }, window, counter);
      const never = of({ prepare_ratio: null });
      const prepared = of({});
      const late = of({ prepare_ratio: 0.8, trigger_ratio: 0.9 });
      expect(late, `${window}`).toBeLessThanOrEqual(never);
      total.never += never;
      total.prepared += prepared;
      total.late += late;
    }
    console.info(`summary calls at ${window}`, total);
    all.never += total.never;
    all.prepared += total.prepared;
  }
  expect(all.prepared).toBeLessThanOrEqual(1.05 * all.never);
});

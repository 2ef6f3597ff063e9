import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  assembleContext,
  budgetOf,
  conversationOverhead,
  countOpenAI,
  leadingThrough,
  loadCounter,
  outlineContext,
  planCompaction,
  readOpenAI,
  renderSummary,
  resolvePolicy,
  userMessage,
  weigh,
  type Body,
  type Context,
  type CountTokens,
  type Entry,
  type PolicyInput,
} from './index.js';

let count: CountTokens;
beforeAll(async () => {
  count = await loadCounter('estimate');
});

/** One step of a thread's life: what an agent, a user or a broken client may post next. */
const text = fc.nat({ max: 400 }).map((words) => 'word '.repeat(words));
const huge = fc.nat({ max: 20_000 }).map((words) => 'huge '.repeat(words));
const callId = fc.nat({ max: 6 }).map((n) => `call_${n}`);
const step: fc.Arbitrary<Body> = fc.oneof(
  { weight: 4, arbitrary: text.map((content): Body => ({ role: 'user', content })) },
  { weight: 4, arbitrary: text.map((content): Body => ({ role: 'assistant', content })) },
  {
    weight: 6,
    arbitrary: fc
      .record({ content: text, ids: fc.array(callId, { minLength: 1, maxLength: 4 }), input: text })
      .map(({ content, ids, input }): Body => ({
        role: 'assistant',
        content,
        tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: input } })),
      })),
  },
  {
    weight: 8,
    arbitrary: fc
      .record({ content: text, id: callId })
      .map(({ content, id }): Body => ({ role: 'tool', tool_call_id: id, content })),
  },
  { weight: 1, arbitrary: huge.map((content): Body => ({ role: 'user', content })) },
  { weight: 1, arbitrary: huge.map((content): Body => ({ role: 'tool', tool_call_id: 'call_0', content })) },
  { weight: 1, arbitrary: text.map((content): Body => ({ role: 'system', content })) },
);
const policy: fc.Arbitrary<PolicyInput> = fc.record({
  context: fc.record({
    trigger_ratio: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
    reserve_ratio: fc.double({ min: 0, max: 0.5, noNaN: true }),
    keep_recent_turns: fc.option(fc.nat({ max: 6 })),
    min_reclaim_ratio: fc.double({ min: 0, max: 0.5, noNaN: true }),
  }),
});
const life = fc.record({
  steps: fc.array(
    fc.record({ body: step, pinned: fc.constantFrom(false, false, false, false, false, true) }),
    {
      minLength: 1,
      maxLength: 60,
    },
  ),
  policy,
  window: fc.integer({ min: 400, max: 20_000 }),
});

interface Summary {
  from: number;
  to: number;
  carried: number[];
  text: string;
  tokens: number;
}

/** A thread as a service would keep it, in memory: posts, compacts when due, and reads its context. */
class Thread {
  readonly bodies = new Map<number, Body>();
  readonly entries: Entry[] = [];
  readonly summaries: Summary[] = [];
  readonly budget;
  private readonly policy;

  constructor(input: PolicyInput, window: number) {
    this.budget = budgetOf(input, window);
    this.policy = resolvePolicy(input);
  }

  post(body: Body, pinned: boolean): void {
    const seq = this.entries.length + 1;
    const message = readOpenAI(body);
    const tokens = countOpenAI(body, count);
    this.bodies.set(seq, body);
    const calls = message.calls.map((call) => call.id);
    const mayPin = pinned && tokens <= this.budget.limit / 40;
    this.entries.push({ seq, role: message.role, tokens, pinned: mayPin, calls, answers: message.answers });
  }

  private view() {
    const summary = this.summaries.at(-1);
    const covered = summary?.to ?? 0;
    const through = leadingThrough(this.entries);
    const leading = this.entries.slice(0, through);
    const carried = (summary?.carried ?? [])
      .filter((seq) => seq > through)
      .map((seq) => this.entries[seq - 1]!);
    return { summary, covered, leading, carried, recent: this.entries.slice(Math.max(covered, through)) };
  }

  liveTokens(): number {
    const { summary, leading, carried, recent } = this.view();
    const shown = [...leading, ...carried, ...recent].reduce(
      (sum, e) => sum + weigh(e, this.budget.limit),
      0,
    );
    return conversationOverhead + (summary?.tokens ?? 0) + shown;
  }

  compact(manual = false): void {
    const { summary, covered, leading, carried } = this.view();
    const plan = planCompaction({
      policy: this.policy.context,
      budget: this.budget,
      systemTokens: 0,
      leading,
      carried,
      summaryTokens: summary?.tokens ?? 0,
      coveredThrough: covered,
      recent: this.entries.slice(covered),
      manual,
    });
    if (plan.kind === 'nothing') return;
    expect(plan.fromSeq).toBe(covered + 1);
    expect(plan.toSeq).toBeGreaterThanOrEqual(plan.fromSeq);
    expect(plan.toSeq).toBeLessThan(this.entries.length + (plan.carried.length > 0 ? 1 : 0));
    const fields = {
      task_overview: 's'.repeat(plan.summaryTokens),
      current_state: '',
      important_discoveries: '',
      next_steps: '',
      context_to_preserve: '',
    };
    const text = renderSummary(fields, plan.toSeq);
    const tokens = countOpenAI(userMessage(text), count);
    this.summaries.push({ from: plan.fromSeq, to: plan.toSeq, carried: plan.carried, text, tokens });
  }

  context(): Context | null {
    const { summary, leading, carried, recent } = this.view();
    const outlined = outlineContext({
      limit: this.budget.limit,
      systemTokens: 0,
      leading,
      carried,
      summary: summary ? { text: summary.text, tokens: summary.tokens } : null,
      recent,
    });
    return outlined.fits ? assembleContext(outlined.outline, this.bodies, count) : null;
  }
}

const runs = { numRuns: 1_000, seed: Number(process.env.SPILLWAY_SEED ?? Date.now() % 2 ** 31) };
console.info(`property tests: SPILLWAY_SEED=${runs.seed}`);

describe('for any thread, policy and window', () => {
  test('a context is within its limit, and its parts add up', () => {
    fc.assert(
      fc.property(life, ({ steps, policy: input, window }) => {
        const thread = new Thread(input, window);
        for (const { body, pinned } of steps) {
          thread.post(body, pinned);
          if (thread.liveTokens() >= thread.budget.trigger) thread.compact();
          const context = thread.context();
          if (!context) continue;
          const real = context.messages.reduce((sum, message) => sum + countOpenAI(message, count), 0);
          expect(context.tokens.total).toBe(real + conversationOverhead);
          // The service refuses what no shortening can fit; nothing else may pass the limit.
          if (!context.degraded) expect(context.tokens.total).toBeLessThanOrEqual(thread.budget.limit);
          expect(context.parts).toHaveLength(context.messages.length);
        }
      }),
      runs,
    );
  });

  test('every tool result follows its call, and only calls at the very end are open', () => {
    fc.assert(
      fc.property(life, ({ steps, policy: input, window }) => {
        const thread = new Thread(input, window);
        for (const { body, pinned } of steps) {
          thread.post(body, pinned);
          if (thread.liveTokens() >= thread.budget.trigger) thread.compact();
          expect(complaint(thread.context()?.messages ?? [])).toBeNull();
        }
      }),
      runs,
    );
  });

  test('between compactions a context only grows at its end', () => {
    fc.assert(
      fc.property(life, ({ steps, policy: input, window }) => {
        const thread = new Thread(input, window);
        let before: Context | null = null;
        for (const { body, pinned } of steps) {
          const generation = thread.summaries.length;
          thread.post(body, pinned);
          const now = thread.context();
          if (before && now && !before.degraded && !now.degraded && generation === thread.summaries.length) {
            expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages);
          }
          if (thread.liveTokens() >= thread.budget.trigger) thread.compact();
          before = thread.context();
        }
      }),
      runs,
    );
  });

  test('summaries cover 1..n without holes or overlaps, and the newest user message is always shown', () => {
    fc.assert(
      fc.property(life, fc.boolean(), ({ steps, policy: input, window }, manual) => {
        const thread = new Thread(input, window);
        for (const { body, pinned } of steps) {
          thread.post(body, pinned);
          if (manual || thread.liveTokens() >= thread.budget.trigger) thread.compact(manual);
          const context = thread.context();
          const newest = thread.entries.findLast((entry) => entry.role === 'user');
          const pins = thread.entries.filter((entry) => entry.pinned).map((entry) => entry.seq);
          const shown = new Set(context?.parts.map((part) => part.seq));
          if (context && newest) expect(shown.has(newest.seq)).toBe(true);
          if (context && !open(thread)) for (const pin of pins) expect(shown.has(pin)).toBe(true);
        }
        let next = 1;
        for (const summary of thread.summaries) {
          expect(summary.from).toBe(next);
          next = summary.to + 1;
        }
      }),
      runs,
    );
  });
});

/** Results that answer nothing wait until the calls before them are closed. */
const open = (thread: Thread): boolean => thread.entries.at(-1)!.role === 'tool';

function complaint(messages: readonly Body[]): string | null {
  let pending: Set<unknown> | null = null;
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!pending?.delete(message.tool_call_id)) return `message ${i} answers no call`;
      continue;
    }
    if (pending && pending.size > 0) return `calls before message ${i} have no result`;
    const calls = message.tool_calls as { id: string }[] | undefined;
    pending = calls ? new Set(calls.map((call) => call.id)) : null;
  }
  return null;
}

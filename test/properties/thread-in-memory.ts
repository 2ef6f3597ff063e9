import {
  assembleContext,
  budgetOf,
  conversationOverhead,
  countMessage,
  entryOfMessage,
  formats,
  leadingThrough,
  outlineContext,
  planCompaction,
  readMessage,
  renderSummary,
  resolvePolicy,
  userMessage,
  weigh,
  type Body,
  type Context,
  type Entry,
  type FormatName,
  type MessageCounter,
  type PolicyInput,
  type Stored,
} from '@spillway/engine';
import { expect } from 'vitest';

interface Summary {
  from: number;
  to: number;
  carried: number[];
  clearedThrough: number;
  text: string;
  tokens: number;
}

/** A thread as a service would keep it, in memory: posts, compacts when due, and reads its context. */
export class ThreadInMemory {
  readonly bodies = new Map<number, Stored>();
  readonly entries: Entry[] = [];
  readonly summaries: Summary[] = [];
  readonly budget;
  private readonly policy;

  constructor(
    input: PolicyInput,
    window: number,
    private readonly counter: MessageCounter,
  ) {
    this.budget = budgetOf(input, window);
    this.policy = resolvePolicy(input);
  }

  post(format: FormatName, body: Body, pinned: boolean): void {
    const seq = this.entries.length + 1;
    const message = readMessage({ format, body });
    const tokens = countMessage(message, this.counter);
    this.bodies.set(seq, { format, body });
    const mayPin = pinned && tokens <= this.budget.limit / 40;
    this.entries.push(entryOfMessage(message, { seq, tokens, pinned: mayPin, format }));
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

  private liveTokens(): number {
    const { summary, leading, carried, recent } = this.view();
    const shown = [...leading, ...carried, ...recent];
    const weight = shown.reduce((sum, entry) => sum + weigh(entry, this.budget.limit), 0);
    return conversationOverhead + (summary?.tokens ?? 0) + weight;
  }

  get isDue(): boolean {
    return this.liveTokens() >= this.budget.trigger;
  }

  compact(manual = false): void {
    const { summary, covered, leading, carried } = this.view();
    const plan = planCompaction({
      policy: this.policy.context,
      budget: this.budget,
      counter: this.counter,
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
    const fields = {
      task_overview: 's'.repeat(plan.summaryTokens),
      current_state: '',
      important_discoveries: '',
      next_steps: '',
      context_to_preserve: '',
    };
    const text = renderSummary(fields, { toSeq: plan.toSeq });
    const tokens = countMessage(userMessage(text), this.counter);
    const { fromSeq: from, toSeq: to, clearedThrough } = plan;
    this.summaries.push({ from, to, carried: plan.carried, clearedThrough, text, tokens });
  }

  /** Null when no valid context fits the limit. */
  context(target: FormatName): Context | null {
    const { summary, leading, carried, recent } = this.view();
    // Another format may take a little more than what was posted; then less is shown.
    for (let limit = this.budget.limit; ;) {
      const outlined = outlineContext({
        limit,
        systemTokens: 0,
        leading,
        carried,
        summary: summary ? { text: summary.text, tokens: summary.tokens } : null,
        recent,
        maxImages: this.policy.context.max_images,
        clearedThrough: summary?.clearedThrough ?? 0,
      });
      if (!outlined.fits) return null;
      const context = assembleContext(outlined.outline, this.bodies, { target, counter: this.counter });
      if (context.tokens.total <= this.budget.limit) return context;
      limit -= context.tokens.total - this.budget.limit;
    }
  }

  tokensOf(context: Context, target: FormatName): number {
    const count = (body: Body) => countMessage(formats[target].read(body), this.counter);
    return context.messages.reduce((sum, body) => sum + count(body), conversationOverhead);
  }
}

import {
  assembleContext,
  budgetOf,
  contextWithin,
  conversationOverhead,
  countMessage,
  entryOfMessage,
  formats,
  instructionsIn,
  leadingThrough,
  mergePolicies,
  planCompaction,
  previewOf,
  readMessage,
  renderInstructions,
  renderStub,
  renderSummary,
  reservedFor,
  resolvePolicy,
  resultsOf,
  shouldOffload,
  slotRoom,
  slotTagTokens,
  textOfParts,
  userMessage,
  weigh,
  withStates,
  type Context,
  type Entry,
  type Instruction,
  type MessageCounter,
  type PolicyInput,
  type Stored,
  type SummaryFields,
  seqMessage,
} from '@spillway/engine';
import { extractiveSummarizer, type Summarizer } from '@spillway/llm';
import { providerComplaint, type JsonMessage } from '@spillway/testing';
import { nothingSent, type Sent } from './sent.js';

/** What a compaction did, for whoever measures it. */
export interface Fold {
  /** The newest message when it was made. */
  atSeq: number;
  toSeq: number;
  /** Messages beside the summary that stand for themselves: leading, carried and recent ones. */
  verbatim: number[];
  fields: SummaryFields;
  /** Of the summary, with what frames it. */
  text: string;
  tokens: number;
}

export interface OurThreadOptions {
  summarizer?: Summarizer;
  onFold?: (fold: Fold) => void;
}

interface Summary {
  to: number;
  carried: number[];
  clearedThrough: number;
  fields: SummaryFields;
  text: string;
  tokens: number;
}

/** A thread on the real engine and the extractive summarizer, without storage: what would be sent before each answer. */
export class OurThread {
  readonly sent: Sent = nothingSent();
  private readonly bodies = new Map<number, Stored>();
  private readonly entries: Entry[] = [];
  private readonly instructions: Instruction[] = [];
  private summary: Summary | null = null;
  /** Compactions made by the last call of the model and by the one before it. */
  private compactionsAt = { last: 0, before: 0 };
  private readonly policy;
  private readonly budget;

  constructor(
    input: PolicyInput,
    window: number,
    private readonly counter: MessageCounter,
    private readonly options: OurThreadOptions = {},
  ) {
    const enabled = mergePolicies(input, { summary: { enabled: true } });
    this.policy = resolvePolicy(enabled);
    this.budget = budgetOf(enabled, window);
  }

  async post(body: JsonMessage): Promise<void> {
    if (body.role === 'assistant') await this.send();
    const seq = this.entries.length + 1;
    const held = this.offloaded(body, seq);
    const message = formats.openai.read(held);
    const tokens = countMessage(message, this.counter);
    this.bodies.set(seq, { format: 'openai', body: held });
    this.entries.push(entryOfMessage(message, { seq, tokens, pinned: false, format: 'openai' }));
    // Leading messages stand for themselves in every context.
    if (seq > leadingThrough(this.entries))
      this.instructions.push(...instructionsIn(seqMessage(seq, message)));
    await this.compact();
  }

  /** The messages as a database would hold them: stubs where results were offloaded. */
  held(): JsonMessage[] {
    return [...this.bodies.values()].map(({ body }) => body as JsonMessage);
  }

  private offloaded(body: JsonMessage, seq: number): JsonMessage {
    const message = formats.openai.read(body);
    const [result] = resultsOf(message);
    const tokens = countMessage(message, this.counter);
    const { outputs } = this.policy;
    const rules = { tokens, toolName: null, policy: outputs, contextLimit: this.budget.limit };
    if (!result || !shouldOffload(result, rules)) return body;
    const text = textOfParts(result.parts);
    const room = {
      tokens: outputs.preview_tokens,
      headLines: outputs.head_lines,
      tailLines: outputs.tail_lines,
    };
    const id = `out_${String(seq).padStart(32, '0')}`;
    const size = { id, bytes: Buffer.byteLength(text), lines: text.split('\n').length, tokens };
    return { ...body, content: renderStub(size, previewOf(text, room, this.counter.text)) };
  }

  private view() {
    const covered = this.summary?.to ?? 0;
    const through = leadingThrough(this.entries);
    const carried = (this.summary?.carried ?? []).filter((seq) => seq > through);
    return {
      leading: this.entries.slice(0, through),
      carried: carried.map((seq) => this.entries[seq - 1]!),
      recent: this.entries.slice(Math.max(covered, through)),
      covered,
    };
  }

  private async send(): Promise<void> {
    this.sent.turns++;
    const { last, before } = this.compactionsAt;
    if (this.sent.compactions > last && last > before) this.sent.repeated++;
    this.compactionsAt = { last: this.sent.compactions, before: last };
    const context = await this.context();
    if ('minimum' in context) {
      this.sent.invalid++;
      return;
    }
    const tokens = this.countedAgain(context);
    this.sent.tokens += tokens;
    if (tokens > this.budget.limit) this.sent.over++;
    if (providerComplaint(context.messages as JsonMessage[]) !== null) this.sent.invalid++;
  }

  /** Tokens of the messages as they are written, whatever the context says of itself. */
  private countedAgain({ messages }: Context): number {
    return messages
      .map((body) => countMessage(formats.openai.read(body), this.counter))
      .reduce((sum, tokens) => sum + tokens, conversationOverhead);
  }

  /** The context as the service builds it. */
  private context(): Promise<Context | { minimum: number }> {
    const { leading, carried, recent } = this.view();
    const input = {
      limit: this.budget.limit,
      systemTokens: 0,
      leading,
      carried,
      summary: this.summary && { text: this.summary.text, tokens: this.summary.tokens },
      recent,
      maxImages: this.policy.context.max_images,
      clearedThrough: this.summary?.clearedThrough ?? 0,
    };
    return contextWithin(input, (outline) =>
      Promise.resolve(assembleContext(outline, this.bodies, { target: 'openai', counter: this.counter })),
    );
  }

  private async compact(): Promise<void> {
    const { leading, carried, recent, covered: coveredThrough } = this.view();
    const entries = [...leading, ...carried, ...recent];
    const weight = entries.reduce((sum, entry) => sum + weigh(entry, this.budget.limit), 0);
    if (conversationOverhead + weight + (this.summary?.tokens ?? 0) < this.budget.trigger) return;
    const all = withStates(this.instructions);
    const { summaryTokens } = this.budget;
    const slot = renderInstructions(all, slotRoom(summaryTokens), this.counter.text);
    const plan = planCompaction({
      policy: this.policy.context,
      budget: this.budget,
      counter: this.counter,
      systemTokens: 0,
      leading,
      carried,
      summaryTokens: this.summary?.tokens ?? 0,
      coveredThrough,
      recent: this.entries.slice(coveredThrough),
      manual: false,
      ...reservedFor(slot),
    });
    if (plan.kind === 'nothing') return;
    const made = await (this.options.summarizer ?? extractiveSummarizer).summarize({
      projectId: 'savings',
      prior: this.summary?.fields ?? null,
      messages: plan.summarize.map((seq) => seqMessage(seq, readMessage(this.bodies.get(seq)!))),
      maxTokens: Math.max(32, plan.summaryTokens - 104),
      model: null,
      prompt: null,
      schema: null,
      attempt: 1,
      conversation: null,
      timeoutMs: 60_000,
      count: this.counter.text,
      spent: () => undefined,
      signal: new AbortController().signal,
    });
    const covered = all.filter(({ seq }) => seq <= plan.toSeq && !plan.carried.includes(seq));
    const room = slotRoom(summaryTokens, plan.instructionTokens - slotTagTokens);
    const { text: instructions } = renderInstructions(covered, room, this.counter.text);
    const text = renderSummary(made.fields, { toSeq: plan.toSeq, instructions });
    const tokens = countMessage(userMessage(text), this.counter);
    const { toSeq: to, clearedThrough } = plan;
    this.summary = { to, carried: plan.carried, clearedThrough, fields: made.fields, text, tokens };
    this.sent.compactions++;
    const after = this.view();
    this.options.onFold?.({
      atSeq: this.entries.length,
      toSeq: to,
      verbatim: [...after.leading, ...after.carried, ...after.recent].map(({ seq }) => seq),
      fields: made.fields,
      text,
      tokens,
    });
  }
}

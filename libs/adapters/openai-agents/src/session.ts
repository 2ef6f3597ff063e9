import {
  tool,
  type Agent,
  type AgentInputItem,
  type CallModelInputFilter,
  type CallModelInputFilterArgs,
  type ModelInputData,
  type RunContext,
  type RunContextAwareSession,
  type Session,
  type SessionHistoryRewriteArgs,
  type SessionHistoryRewriteAwareSession,
  type Tool,
} from '@openai/agents';
import { SpillwayError } from '@spillway/client';
import { align, identityOf, type AgentThread, type ReaderTool } from '@spillway/client/agent';
import { agentItems, responsesItem } from './items.js';
import { notIn, overlapOf } from './new-items.js';

/** The SDK's type wants schemas that allow more properties. */
type ReaderParameters = Extract<Parameters<typeof tool>[0]['parameters'], { additionalProperties: true }>;

export interface SessionOptions {
  /** The model whose window the context must fit. Needed when the agent's model is an object and not a name. */
  model?: string;
}

/**
 * A session whose items are the messages of a Spillway thread, whole. Before each model call its filter puts the
 * thread's context in their place. It serves one run at a time.
 */
export class SpillwaySession implements RunContextAwareSession, SessionHistoryRewriteAwareSession {
  readonly acceptsRunContext = true;
  /** The conversation as it was posted: what getItems returns, also while Spillway cannot be reached. */
  private items: AgentInputItem[] = [];
  /** The newest recorded message that `items` has. */
  private seq = 0;
  private run: RunContext<unknown> | undefined;
  /** Model calls of this run whose usage was posted. */
  private counted = 0;
  /** The filter recorded messages of this run, which the runner adds once more in the form that the model was sent. */
  private isFiltered = false;
  /** The input of this run's last model call, and how many items there were with it. */
  private offered: { input: string[]; recorded: number } | undefined;
  /** Of the messages of this run's contexts. */
  private readonly served = new Set<string>();
  /**
   * How many of the newest items the filter recorded and the runner did not add yet: it adds none of a run that failed.
   */
  private unconfirmed = 0;

  constructor(
    private readonly thread: AgentThread,
    private readonly readers: readonly ReaderTool[],
    private readonly settings: SessionOptions,
  ) {}

  /** To pass to `run` as its options, or to spread into them. */
  get options(): { session: Session; callModelInputFilter: CallModelInputFilter } {
    return { session: this, callModelInputFilter: this.callModelInputFilter };
  }

  /**
   * Returns `options` for a run that the signal ends, and with it the request for a context: the SDK does not give the
   * signal of a run to the filter.
   */
  optionsWith(signal: AbortSignal): SpillwaySession['options'] & { signal: AbortSignal } {
    return { session: this, callModelInputFilter: (args) => this.filtered(args, signal), signal };
  }

  /** Returns the agent's tools and those with which the model reads what left its context. */
  tools(own: readonly Tool[] = []): Tool[] {
    const readers = this.readers.map(({ name, description, parameters }) =>
      tool({
        name,
        description,
        parameters: parameters as unknown as ReaderParameters,
        strict: false,
        execute: (input, _, details) =>
          this.thread.runTool(name, input as Record<string, unknown>, details?.signal),
      }),
    );
    return [...own, ...readers];
  }

  getSessionId(): Promise<string> {
    return Promise.resolve(this.thread.id);
  }

  async getItems(limit?: number, run?: RunContext<unknown>): Promise<AgentInputItem[]> {
    if (run) await this.begin(run);
    await this.refresh();
    if (limit === undefined) return [...this.items];
    return limit <= 0 ? [] : this.items.slice(-limit);
  }

  async addItems(items: AgentInputItem[], run?: RunContext<unknown>): Promise<void> {
    if (run) await this.begin(run);
    // Items without a run are the caller's, not the runner's.
    const fresh = run && this.isFiltered ? this.unrecorded(items) : items;
    try {
      await this.record(fresh);
    } catch (error) {
      // What a run recorded before them is taken back by the next one.
      await this.withdraw(fresh.length);
      throw error;
    }
    this.unconfirmed = 0;
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    await this.refresh();
    const item = this.items.pop();
    if (!item) return undefined;
    this.unconfirmed = Math.max(0, this.unconfirmed - 1);
    await this.thread.takeBack(1);
    return item;
  }

  async clearSession(): Promise<void> {
    this.items = [];
    this.unconfirmed = 0;
    await this.thread.takeBack(Infinity);
  }

  /** Takes the thread back to before the first changed call and records what follows anew. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    await this.refresh();
    const replacements = new Map(mutations.map(({ callId, replacement }) => [callId, replacement]));
    const isChanged = (item: AgentInputItem) =>
      item.type === 'function_call' && replacements.has(item.callId);
    const first = this.items.findIndex(isChanged);
    if (first < 0) return;
    const suffix = this.items.splice(first);
    await this.thread.takeBack(suffix.length);
    await this.record(
      suffix.map((item) => (item.type === 'function_call' && replacements.get(item.callId)) || item),
    );
  }

  /** Records what is new and gives the model call its context, or the items as they are during an outage. */
  readonly callModelInputFilter = <T>(args: CallModelInputFilterArgs<T>): Promise<ModelInputData> =>
    this.filtered(args);

  private async filtered<T>(
    { modelData, agent }: CallModelInputFilterArgs<T>,
    signal?: AbortSignal,
  ): Promise<ModelInputData> {
    const { input, instructions } = modelData;
    const fresh = this.newOf(input);
    for (const item of fresh) this.items.push(item);
    this.offered = { input: input.map(identity), recorded: this.items.length };
    this.isFiltered = true;
    this.unconfirmed += fresh.length;
    const model = this.settings.model ?? (typeof agent.model === 'string' ? agent.model : undefined);
    const call = {
      history: this.items.map(responsesItem),
      model,
      system: instructions,
      tools: schemasOf(agent as Agent<unknown>),
      usage: this.newUsage(),
      signal,
    };
    const context = await this.thread.context(call).catch(async (error: unknown) => {
      // Some of the items may be recorded: the next run could not tell them from another process's.
      if (error instanceof SpillwayError) {
        this.unconfirmed -= fresh.length;
        await this.withdraw(fresh.length);
      }
      throw error;
    });
    if (!context) return modelData;
    this.advance(fresh.length);
    for (const message of context.messages) this.served.add(identityOf(message));
    return {
      input: agentItems(context.messages),
      ...(context.system === null ? {} : { instructions: context.system }),
    };
  }

  /**
   * What of a model call's input is not recorded. A run's first input is what getItems returned, of which a callback may
   * have left out any part, and what the run was asked; each later one is the one before and what came since. A handoff
   * may change any of it.
   */
  private newOf(input: AgentInputItem[]): AgentInputItem[] {
    const { offered } = this;
    const [identities, recorded] = [input.map(identity), this.items.map(identity)];
    if (!offered) {
      const fresh = notIn(recorded, input, identities);
      if (fresh.length > 0) return fresh;
      const { known, gone } = align(identities, recorded);
      // What does not end as the thread does ends with a question that was asked before.
      return known === input.length && gone === 0 ? [] : input.slice(-1);
    }
    const goesOn =
      offered.recorded <= recorded.length && offered.input.every((one, i) => one === identities[i]);
    if (!goesOn) return input.slice(align(identities, recorded).known);
    const { length } = offered.input;
    return input.slice(length + overlapOf(recorded.slice(offered.recorded), identities.slice(length)));
  }

  private async begin(run: RunContext<unknown>): Promise<void> {
    if (run === this.run) return;
    this.run = run;
    this.counted = run.usage.requestUsageEntries?.length ?? 0;
    this.isFiltered = false;
    this.offered = undefined;
    this.served.clear();
    if (this.unconfirmed > 0) await this.refresh();
    const failed = this.unconfirmed;
    if (failed === 0) return;
    this.unconfirmed = 0;
    this.items.length -= failed;
    await this.thread.takeBack(failed);
  }

  /** Reads the thread again when it is not as this process left it. */
  private async refresh(): Promise<void> {
    const seq = await this.thread.sync();
    if (seq === null || seq === this.seq) return;
    const messages = await this.thread.read();
    const items = messages && agentItems(messages);
    // Behind the items of a failed run another process may have gone on.
    if (!items || !endAlike(items, this.items, this.unconfirmed)) this.unconfirmed = 0;
    if (!items) return;
    this.items = items;
    this.seq = seq;
  }

  /** Takes back the newest items, which were refused: the session goes on as if they had not been added. */
  private async withdraw(count: number): Promise<void> {
    this.items.length -= count;
    await this.thread.takeBack(count).catch(() => undefined);
  }

  private async record(items: AgentInputItem[]): Promise<void> {
    this.items.push(...items);
    await this.thread.record({ history: this.items.map(responsesItem), usage: this.newUsage() });
    this.advance(items.length);
  }

  /**
   * What of a run's items is not recorded: the model's last answer, results without a model call after, and what a
   * handoff kept from the model. The runner adds these behind the run's other items, and behind messages of the context
   * that the run's own input lacked, because a callback or a filter left them out: to the runner those are new.
   */
  private unrecorded(items: AgentInputItem[]): AgentInputItem[] {
    const identities = items.map(identity);
    const recorded = this.items.map(identity);
    const known = new Set([...this.served, ...recorded]);
    const newest = this.items.at(-1);
    const isNewestOfCall = newest !== undefined && 'callId' in newest;
    // No answer of a model has a question or an older call. It may have the same words as an older answer.
    const lastKnown = items.findLastIndex((item, i) =>
      isInput(item) ? known.has(identities[i]!) : isNewestOfCall && identities[i] === recorded.at(-1),
    );
    const kept = items.slice(0, lastKnown + 1).filter((_, i) => !known.has(identities[i]!));
    const rest = items.slice(lastKnown + 1);
    return [...kept, ...rest.slice(overlapOf(recorded, identities.slice(lastKnown + 1)))];
  }

  /** Other numbers than these mean that another process wrote too: the next read has it. */
  private advance(count: number): void {
    if (this.thread.seq === this.seq + count) this.seq += count;
  }

  /** What the last model call took. An agent that is a tool counts into the same run: nothing tells its calls apart. */
  private newUsage(): object | undefined {
    const entries = this.run?.usage.requestUsageEntries ?? [];
    const isOwn = entries.length === this.counted + 1;
    this.counted = entries.length;
    if (!isOwn) return undefined;
    const { inputTokens, outputTokens, totalTokens } = entries.at(-1)!;
    return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens };
  }
}

const identity = (item: AgentInputItem): string => identityOf(responsesItem(item));

const endAlike = (
  one: readonly AgentInputItem[],
  other: readonly AgentInputItem[],
  count: number,
): boolean => {
  const [end, otherEnd] = [one, other].map((items) =>
    items
      .slice(items.length - count)
      .map(identity)
      .join(),
  );
  return end === otherEnd;
};

const isInput = (item: AgentInputItem): boolean =>
  (item.type === undefined || item.type === 'message') && item.role !== 'assistant';

/** Function tools as the Responses API is sent them. Those of MCP servers are counted by the provider's usage. */
const schemasOf = ({ tools }: Agent<unknown>): object[] =>
  tools.flatMap((one) => {
    if (one.type !== 'function') return [];
    const { type, name, description, parameters, strict } = one;
    return [{ type, name, description, parameters, strict }];
  });

import { conversationOverhead } from '../context/context.js';
import { unparkDivisor, type Budget } from './budget.js';
import type { MessageCounter } from '../tokens/count-message.js';
import { leadingThrough, weigh, type Entry } from '../messages/entry.js';
import { planCompaction, type CompactionPlan } from './plan.js';
import type { Policy } from '../policy/policy.js';

export interface SimulationInput {
  policy: Policy;
  budget: Budget;
  counter: MessageCounter;
  /** Tokens of the system prompt and the tool schemas. */
  systemTokens: number;
  /** The whole thread, with what each message takes in a context. Numbered from 1 without gaps: the caller does that. */
  entries: readonly Entry[];
  /** Tokens that the thread's standing instructions may take beside each summary; 0 when left out. */
  instructionTokens?: number;
  /** The same of sentences that may be one. */
  possibleTokens?: number;
  /** Tokens of the nth summary, from 0. Unknown before it is written, so the maximum is assumed. */
  summaryTokens?: (plan: CompactionPlan, n: number) => number;
}

export interface SimulatedCompaction {
  /** The newest message when it became due. */
  atSeq: number;
  fromSeq: number;
  toSeq: number;
  tokensBefore: number;
  tokensAfter: number;
}

export interface Simulation {
  compactions: SimulatedCompaction[];
  /** Maximum of live tokens before compactions. */
  peakTokens: number;
  /** Number of contexts read: one for each message of the assistant. */
  contexts: number;
  /** Tokens of all these contexts. */
  tokensSent: number;
  /** Contexts that left messages out because live tokens exceeded the limit. */
  overLimit: number;
  /** Checks after which the thread is parked, until it grows. */
  stuck: number;
  /** Live tokens over the thread: the maximum of each of up to `maxPoints` equal ranges of seqs. */
  fill: { seq: number; tokens: number }[];
}

const maxPoints = 400;
/**
 * Of this replay alone: after this many checks without result, a thread must grow by a quarter. A long thread that is
 * pinned throughout would else be planned at each message.
 */
const patience = 12;
/** Messages between two pauses. */
const stride = 32;

/**
 * Replays a thread under a policy: message by message, with each due compaction done before the next message. Uses
 * sizes only. Yields now and then, so that the caller can serve other requests.
 */
export function* simulatePolicy(input: SimulationInput): Generator<void, Simulation> {
  const thread = new SimulatedThread(input);
  for (const [i, entry] of input.entries.entries()) {
    if (i % stride === 0) yield;
    thread.record(entry);
    while (thread.isDue) {
      yield;
      if (!thread.compact()) break;
    }
  }
  return thread.result;
}

class SimulatedThread {
  readonly result: Simulation = {
    compactions: [],
    peakTokens: 0,
    contexts: 0,
    tokensSent: 0,
    overLimit: 0,
    stuck: 0,
    fill: [],
  };
  private readonly through: number;
  private readonly stretch: number;
  private live: number;
  private count = 0;
  private covered = 0;
  private summary = 0;
  private carried: readonly number[] = [];
  private parkedAt: number | null = null;
  private inVain = 0;

  constructor(private readonly input: SimulationInput) {
    this.through = leadingThrough(input.entries);
    this.stretch = Math.max(1, Math.ceil(input.entries.length / maxPoints));
    this.live = input.systemTokens + conversationOverhead;
  }

  record(entry: Entry): void {
    if (asksModel(entry, this.input.entries[this.count - 1])) this.send();
    this.count++;
    this.live += weigh(entry, this.input.budget.limit);
    this.result.peakTokens = Math.max(this.result.peakTokens, this.live);
    const last = this.result.fill.at(-1);
    if (last && (this.count - 1) % this.stretch !== 0) {
      last.seq = entry.seq;
      last.tokens = Math.max(last.tokens, this.live);
    } else this.result.fill.push({ seq: entry.seq, tokens: this.live });
  }

  /** Its context is read when the newest message precedes one of the assistant. */
  private send(): void {
    const { limit } = this.input.budget;
    this.result.contexts++;
    this.result.tokensSent += Math.min(this.live, limit);
    if (this.live > limit) this.result.overLimit++;
  }

  get isDue(): boolean {
    const { trigger } = this.input.budget;
    if (!this.input.policy.summary.enabled || this.live < trigger) return false;
    if (this.parkedAt === null) return true;
    const growth = this.inVain < patience ? Math.floor(trigger / unparkDivisor) : this.parkedAt / 4;
    return this.live >= this.parkedAt + growth;
  }

  /** False when there is nothing to compact: the thread is parked then, unless the next message may change it. */
  compact(): boolean {
    const { policy, budget, systemTokens, entries } = this.input;
    const plan = planCompaction({
      policy: policy.context,
      budget,
      counter: this.input.counter,
      systemTokens,
      leading: entries.slice(0, Math.min(this.through, this.count)),
      carried: this.carried
        .filter((seq) => seq > this.through && seq <= this.covered)
        .map((seq) => entries[seq - 1]!),
      summaryTokens: this.summary,
      instructionTokens: this.input.instructionTokens ?? 0,
      possibleTokens: this.input.possibleTokens ?? 0,
      coveredThrough: this.covered,
      recent: entries.slice(this.covered, this.count),
      manual: false,
    });
    if (plan.kind === 'nothing') {
      if (plan.untilNext) return false;
      this.parkedAt = this.live;
      this.inVain++;
      this.result.stuck++;
      return false;
    }
    const { compactions } = this.result;
    const tokensBefore = this.live;
    this.summary =
      this.input.summaryTokens?.(plan, compactions.length) ?? plan.summaryTokens + plan.instructionTokens;
    this.live = plan.tokensKept + this.summary;
    this.covered = plan.toSeq;
    this.carried = plan.carried;
    this.parkedAt = null;
    this.inVain = 0;
    compactions.push({
      atSeq: this.count,
      fromSeq: plan.fromSeq,
      toSeq: plan.toSeq,
      tokensBefore,
      tokensAfter: this.live + plan.separatorTokens,
    });
    return true;
  }
}

/** Whether a model wrote this message, and not as a further item of the same step. */
const asksModel = (entry: Entry, before: Entry | undefined): boolean =>
  entry.role === 'assistant' && !(entry.item && before?.item && before.role === 'assistant');

import {
  errorOf,
  GoneError,
  InvalidRequestError,
  LastSeqChangedError,
  MessageConflictError,
} from '../errors.js';
import type { Context, Format, Message, Thread } from '../thread.js';
import { unlessAborted } from '../transport.js';
import { align } from './align.js';
import type { Availability } from './availability.js';
import { batchOf } from './requests/batch.js';
import { hashOf, identityOf } from './identity.js';
import { LargeMessages } from './requests/large-messages.js';
import { mediaOf, withoutOtherMedia } from './shown-media.js';

/** A model call that an agent is about to make. */
export interface ModelCall {
  /** All messages of the conversation, as the caller has them. */
  history: readonly Message[];
  model?: string | undefined;
  system?: string | undefined;
  /** Schemas of all tools that are sent, the reader tools included: they are counted. */
  tools?: readonly object[] | undefined;
  /** What the provider counted in the call before. */
  usage?: unknown;
  signal?: AbortSignal | undefined;
}

export interface AgentThreadOptions {
  format: Format;
  /** Milliseconds that a context waits for a compaction that is due. Default: 200. */
  waitMs?: number;
  /** Milliseconds for an upload of up to 8 MiB; a larger one has as much more for each further 8 MiB. */
  timeoutMs: number;
  /** Gets what the service warns of, such as a context window that nobody chose. */
  warn: (detail: string) => void;
}

type Settings = Parameters<Thread['put']>[0];

interface Logged {
  identity: string;
  /** Null: not recorded yet. */
  seq: number | null;
  /** Of its images and files, if this process posted it. */
  media?: string | undefined;
}

/** Recorded messages that are read to see where a history continues: more when none of these is in it. */
const tailLengths = [100, 1_000, 10_000];
const maxPage = 1_000;
/** Identities that are remembered. */
const maxLogLength = 10_000;
/** Another writer that is met this often writes all the time. */
const maxTries = 3;

const unsentOf = (message: Message): Logged => ({
  identity: identityOf(message),
  seq: null,
  media: mediaOf(message),
});

const isLive = ({ rewound_before: mark }: { rewound_before?: number | null }): boolean =>
  mark === undefined || mark === null;

/**
 * One thread as an agent's adapter uses it: the caller keeps its history whole, and each model call gets the context
 * for it. Records what is new in the history, each message once, and keeps what could not be sent for the next call.
 * Messages that the caller took out of the end of its history are rewound.
 */
export class AgentThread {
  private log: Logged[] = [];
  private queue: Message[] = [];
  /**
   * Whether a message of the queue was refused: the caller may have another one in its place. The queue is sent again
   * when a history has what is in it.
   */
  private isRefused = false;
  private isLoaded = false;
  /** How many messages at the start of the queue an append had whose answer did not come: they may be recorded. */
  private inDoubt = 0;
  /** The caller took such messages back. Those that are found to be recorded are no other process's. */
  private hasDroppedInDoubt = false;
  private readonly largeMessages: LargeMessages;
  /** Whether messages are recorded that are older than the log. */
  private older = false;
  private lastSeq = 0;
  /**
   * Set while recorded messages must leave the thread, because the caller went back behind them: the newest one that
   * stays, or the first one that goes where nobody knows here what is before it.
   */
  private goesBack: { to: number } | { before: number } | null = null;
  /** All that is recorded must go, whoever recorded it and whether it was read here or not. */
  private isCleared = false;
  /** What model calls were made with, also those that went without Spillway. */
  private settings: Settings;
  /** Hash of the settings that the thread has; empty when another process may have changed them. */
  private settled = '';
  private fingerprint: string | undefined;
  /** The newest model call went without Spillway: what its provider counted was no context. */
  private wasBypassed = false;
  private running: Promise<unknown> = Promise.resolve();

  /** @internal Use `AgentThreads.thread(id)`. */
  constructor(
    private readonly thread: Thread,
    private readonly availability: Availability,
    private readonly options: AgentThreadOptions,
  ) {
    this.settings = { format: options.format };
    this.largeMessages = new LargeMessages(thread, options.timeoutMs);
  }

  /** The id of the thread. */
  get id(): string {
    return this.thread.id;
  }

  /** The newest recorded message, as far as this process knows. */
  get seq(): number {
    return this.lastSeq;
  }

  /**
   * Records what is new in the history and returns the context for this model call, or null when Spillway cannot be
   * reached: then the call goes ahead with the caller's own messages. Throws SpillwayError for any other answer, and the
   * reason of the call's signal at once.
   */
  context(call: ModelCall): Promise<Context | null> {
    const { signal } = call;
    const turn = this.inTurn(async () => {
      this.take(call);
      // Kept all the same: the caller's next call goes on from this history.
      signal?.throwIfAborted();
      const context = await this.availability.attempt(() => this.exchange(call, true));
      this.wasBypassed = !context;
      if (!context) this.availability.countBypass();
      return context ?? null;
    });
    // The turn may begin only when another call has timed out.
    return signal ? unlessAborted(turn, signal) : turn;
  }

  /** Records what is new in the history, such as the model's last answer. Keeps it when Spillway cannot be reached. */
  record(call: ModelCall): Promise<void> {
    return this.inTurn(async () => {
      this.take(call);
      await this.availability.attempt(() => this.exchange(call, false));
    });
  }

  /**
   * Sends what is queued, and notices what other processes did. Returns the seq of the newest recorded message, or null
   * when Spillway cannot be reached.
   */
  sync(): Promise<number | null> {
    return this.inTurn(() =>
      this.availability.attempt(async () => {
        await this.exchange({ history: [] }, false);
        const { last_seq: lastSeq } = await this.thread.get();
        if (lastSeq !== this.lastSeq) {
          await this.load({ history: [] });
          this.settled = '';
        }
        return this.lastSeq;
      }),
    );
  }

  /** Reads all recorded messages as they were posted, or returns null when Spillway cannot be reached. */
  read(): Promise<Message[] | null> {
    return this.inTurn(() =>
      this.availability.attempt(async () => {
        const messages: Message[] = [];
        for await (const one of this.thread.messages({ view: 'original', limit: maxPage }))
          if (isLive(one)) messages.push(one.message);
        return messages;
      }),
    );
  }

  /** Takes the newest messages back, recorded or not; Infinity for all. Rewinds when Spillway can be reached. */
  takeBack(count: number): Promise<void> {
    return this.inTurn(async () => {
      const isKnown = count === Infinity || count <= this.log.length;
      if (!isKnown) throw new RangeError(`Only ${this.log.length} of these messages are known.`);
      const gone = this.log.splice(Math.max(0, this.log.length - count));
      const unsent = this.dropFromQueue(gone);
      if (count === Infinity) {
        this.isCleared = true;
        this.older = false;
        this.goesBack = { to: 0 };
      } else if (gone.length > unsent) {
        const last = this.log.at(-1)?.seq;
        this.goesBack = typeof last === 'number' ? { to: last } : { before: gone[0]!.seq! };
      }
      await this.availability.attempt(() => this.exchange({ history: [] }, false));
    });
  }

  /** Returns the seq of the newest message before another one that was not rewound, 0 when there is none. */
  private async lastSeqBefore(seq: number, signal: AbortSignal | undefined): Promise<number> {
    let last = 0;
    if (seq > 1)
      for await (const one of this.thread.messages({ before: seq, limit: maxPage, media: 'marked', signal }))
        if (isLive(one)) last = Math.max(last, one.seq);
    return last;
  }

  /** Runs the model's call of a reader tool. The answer is text for the model, also when Spillway cannot be reached. */
  async runTool(name: string, args: Record<string, unknown> | string, signal?: AbortSignal): Promise<string> {
    const result = await this.availability.attempt(() => this.thread.runTool(name, args, { signal }));
    return (
      result?.text ??
      'Error: the store of earlier outputs and messages cannot be reached now. Try again later.'
    );
  }

  /** One call after the other: a thread has one writer. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.running.then(work, work);
    this.running = turn.catch(() => undefined);
    return turn;
  }

  /** Keeps the settings. Queues what the history has and the log has not, and drops from the log what the history no longer has. */
  private take({ history, model, system, tools }: ModelCall): void {
    if (model !== undefined) this.settings.model = model;
    if (system !== undefined) this.settings.system = system;
    if (tools !== undefined) this.settings.tools = tools as Record<string, unknown>[];
    if (this.isRefused) this.dropUnsent();
    const identities = history.map(identityOf);
    const logged = this.log.map(({ identity }) => identity);
    const found = align(identities, logged, { older: this.older });
    const { known, gone } = withoutOtherMedia(
      found,
      { history, identities },
      { log: this.log, older: this.older },
    );
    const dropped = this.log.splice(this.log.length - gone, gone);
    const unsent = this.dropFromQueue(dropped);
    if (dropped.length > unsent) this.goesBack = { to: this.log.at(-1)?.seq ?? 0 };
    this.queue.push(...history.slice(known));
    this.log.push(...history.slice(known).map(unsentOf));
  }

  /** Takes from the end of the queue what was dropped from the log, and returns how many messages these are. */
  private dropFromQueue(dropped: readonly Logged[]): number {
    const unsent = dropped.filter(({ seq }) => seq === null).length;
    this.queue.length -= unsent;
    if (this.queue.length < this.inDoubt) {
      this.inDoubt = this.queue.length;
      this.hasDroppedInDoubt = true;
      this.isLoaded = false;
    }
    return unsent;
  }

  /** Forgets what was refused and what came with it. What of it is right is in the caller's history. */
  private dropUnsent(): void {
    this.dropFromQueue(this.log.splice(this.log.length - this.queue.length));
    this.isRefused = false;
  }

  private async exchange(call: ModelCall, wantsContext: boolean): Promise<Context | undefined> {
    for (let tries = 1; ; tries++) {
      await this.putSettings(call);
      if (!this.isLoaded) await this.load(call);
      try {
        await this.goBack(call);
        return await this.send(call, wantsContext);
      } catch (error) {
        // Another process recorded something: see what, and continue behind it.
        const isOvertaken = error instanceof LastSeqChangedError || error instanceof MessageConflictError;
        const isExpired = error instanceof GoneError && this.largeMessages.forget();
        if (!(isOvertaken || isExpired) || tries === maxTries) {
          const isRefusal = error instanceof InvalidRequestError || error instanceof MessageConflictError;
          this.isRefused ||= isRefusal && this.queue.length > 0;
          throw error;
        }
        this.isLoaded = false;
        this.settled = '';
      }
    }
  }

  /** Creates the thread, or gives it what is new. */
  private async putSettings({ signal }: ModelCall): Promise<void> {
    const hash = hashOf(JSON.stringify(this.settings));
    if (hash === this.settled) return;
    const { last_seq: lastSeq, warnings = [] } = await this.thread.put(this.settings, { signal });
    for (const { detail } of warnings) this.options.warn(detail);
    if (!this.isLoaded) this.lastSeq = lastSeq;
    this.settled = hash;
  }

  /** Reads the newest recorded messages, and finds what of the queue is among them. */
  private async load({ signal }: ModelCall): Promise<void> {
    if (this.isCleared || this.lastSeq > 0 || this.log.some(({ seq }) => seq !== null))
      this.lastSeq = (await this.thread.get({ signal })).last_seq;
    if (this.isCleared) {
      this.goesBack = { to: 0 };
      this.isLoaded = true;
      return;
    }
    const history = this.log.map(({ identity }) => identity);
    let recorded: Logged[] = [];
    let { known, gone } = { known: 0, gone: 0 };
    for (const tail of tailLengths) {
      recorded = await this.readTail(tail, signal);
      this.older = this.lastSeq > tail;
      ({ known, gone } = align(
        history,
        recorded.map(({ identity }) => identity),
        { older: this.older },
      ));
      // One message that is not there is new; a history that is not there may end far back.
      if (known > 0 || !this.older || history.length < 2) break;
    }
    const wasRecorded = this.log.length - this.queue.length;
    // What another process recorded since stays, unless the caller went back.
    const hasGoneBack = this.goesBack !== null || this.hasDroppedInDoubt;
    const mustGo = gone > 0 && (wasRecorded === 0 || hasGoneBack);
    if (mustGo) recorded.length -= gone;
    this.goesBack = mustGo ? { to: recorded.at(-1)!.seq! } : null;
    this.queue = this.queue.slice(Math.max(0, known - wasRecorded));
    const media = new Map(this.log.map((one) => [one.seq, one.media]));
    for (const one of recorded) one.media = media.get(one.seq);
    this.log = [...recorded, ...this.queue.map(unsentOf)];
    this.isLoaded = true;
  }

  /** The newest recorded messages that contexts show, at most so many. Moves `lastSeq` to the newest of them. */
  private async readTail(length: number, signal: AbortSignal | undefined): Promise<Logged[]> {
    const recorded: Logged[] = [];
    const range = { after: Math.max(0, this.lastSeq - length), limit: Math.min(length, maxPage) };
    for await (const one of this.thread.messages({ ...range, view: 'context', media: 'marked', signal })) {
      if (!isLive(one)) continue;
      recorded.push({ identity: identityOf(one.message), seq: one.seq });
      this.lastSeq = one.seq;
    }
    return recorded;
  }

  private async goBack({ signal }: ModelCall): Promise<void> {
    if (this.goesBack === null) return;
    const to =
      'to' in this.goesBack ? this.goesBack.to : await this.lastSeqBefore(this.goesBack.before, signal);
    const { thread } = await this.thread.rewind(to, { ifLastSeq: this.lastSeq, signal });
    this.lastSeq = thread.last_seq;
    this.goesBack = null;
    this.isCleared = false;
    // It was of a context that is no longer shown.
    this.fingerprint = undefined;
  }

  private async send(call: ModelCall, wantsContext: boolean): Promise<Context | undefined> {
    const { signal } = call;
    const usage = this.wasBypassed ? undefined : call.usage;
    const wait = this.options.waitMs ?? 200;
    while (this.queue.length > 0 && !this.isRefused) {
      const batch = batchOf(this.queue);
      const isLast = batch.length === this.queue.length;
      this.inDoubt = Math.max(this.inDoubt, batch.length);
      const answer = await this.thread.append(await this.largeMessages.postable(batch, signal), {
        ifLastSeq: this.lastSeq,
        idempotencyKey: this.keyOf(batch),
        ...(isLast ? { usage, ...(this.fingerprint ? { fingerprint: this.fingerprint } : {}) } : {}),
        ...(isLast && wantsContext ? { context: { wait } } : {}),
        signal,
      });
      this.recorded(answer.messages.map(({ seq }) => seq));
      if (!isLast || !wantsContext) continue;
      if (answer.context_problem) throw errorOf(answer.context_problem);
      return this.served(answer.context!);
    }
    if (!wantsContext) return undefined;
    return this.served(await this.thread.context({ wait, signal }));
  }

  /** The same messages at the same place in the same thread have the same key, whoever sends them. */
  private keyOf(batch: readonly Message[]): string {
    return `${hashOf(batch.map(identityOf).join())}-${this.lastSeq + 1}`;
  }

  private recorded(seqs: readonly number[]): void {
    const first = this.log.findIndex(({ seq }) => seq === null);
    this.inDoubt = 0;
    this.hasDroppedInDoubt = false;
    seqs.forEach((seq, i) => (this.log[first + i]!.seq = seq));
    this.queue = this.queue.slice(seqs.length);
    this.lastSeq = seqs.at(-1) ?? this.lastSeq;
    // What is still to be recorded stays, however much it is: both end with the same messages.
    const kept = Math.max(maxLogLength, this.queue.length);
    this.older ||= this.log.length > kept;
    this.log = this.log.slice(-kept);
  }

  private served(context: Context): Context {
    this.fingerprint = context.fingerprint;
    return context;
  }
}

import { eventsOf, type EventsOptions, type SpillwayEvent } from './events.js';
import { itemsOf, type Page } from './pages.js';
import { randomUuid } from './random-uuid.js';
import type { components } from './schema.js';
import type { CallOptions, Query, Transport } from './transport.js';

type Schemas = components['schemas'];
/** The format of messages and tools. */
export type Format = NonNullable<Schemas['ContextOptions']['format']>;
/**
 * A message in the provider's form. `id` makes its retry safe, `pinned` keeps it out of summaries, `sent_at` says when it
 * was written.
 */
export type Message = object;
/** The messages to send to the model, with their tokens and where they come from. */
export type Context = Schemas['Context'];
/** What an append recorded. */
export type Appended = Schemas['MessagesAppended'];
/** What an append recorded, with the context of the next model call; null when there is none yet. */
export type AppendedWithContext = Appended & { context: Context | null };

/** How this program uses a thread. */
export interface ThreadOptions {
  /** The format of messages, contexts and tools. Default: that of the thread. */
  format?: Format;
}

/** Options of a context, as the API has them. */
export interface ContextOptions extends Omit<Schemas['ContextOptions'], 'format'>, CallOptions {
  format?: Format;
}

/** Options of an append. */
export interface AppendOptions extends CallOptions {
  /** The usage object of the model call that these messages answer, as the provider gave it. */
  usage?: unknown;
  /** The fingerprint of the context of that call. */
  fingerprint?: string;
  /** Records nothing when the thread's newest seq is another one; 0 for a new thread. */
  ifLastSeq?: number;
  /** The same key and messages are recorded once. Default: a new one for each call, so that its retries are safe. */
  idempotencyKey?: string;
  format?: Format;
}

/** Options of a rewind. */
export type RewindOptions = Pick<AppendOptions, 'ifLastSeq' | 'idempotencyKey' | 'signal'>;

/** Where a fork ends, and its id. */
export interface ForkOptions extends Partial<Schemas['ThreadFork']>, CallOptions {}

/** Options of the context that an append answers with. */
export type NextContextOptions = Pick<
  ContextOptions,
  'max_tokens' | 'reasoning' | 'model' | 'alternate' | 'wait' | 'tools' | 'since'
>;

/** Filters of a search, and its bounds. */
export interface SearchOptions extends CallOptions {
  role?: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  tool?: string;
  kind?: string;
  from_seq?: number;
  to_seq?: number;
  /** Hits of a page. Default: 20. */
  limit?: number;
  /** Tokens of all texts of a page. */
  max_tokens?: number;
}

/** Which recorded messages are listed, and in which form. */
export interface MessagesOptions extends CallOptions {
  after?: number;
  before?: number;
  limit?: number;
  view?: 'original' | 'context';
  /** `marked`: base64 data are replaced by a marker. */
  media?: 'included' | 'marked';
}

/** The form of an export. */
export interface ExportOptions extends CallOptions {
  /** Default: jsonl. */
  format?: 'jsonl' | 'markdown';
  /** The history alone, in this format. */
  as?: Format;
}

/** Which call an upload answers. */
export interface UploadOptions extends CallOptions {
  tool?: string;
  toolCallId?: string;
  /** Milliseconds that the upload may take. Default: no limit of the client's. */
  timeoutMs?: number;
}

/** One thread. Making this sends nothing. */
export class Thread {
  private readonly path: string;

  /** @internal Use `spillway.thread(id)`. */
  constructor(
    private readonly transport: Transport,
    readonly id: string,
    private readonly options: ThreadOptions = {},
  ) {
    this.path = `/v1/threads/${encodeURIComponent(id)}`;
  }

  /** Creates the thread, or gives it these settings. What is left out stays. */
  put(settings: Schemas['ThreadPut'], { signal }: CallOptions = {}): Promise<Schemas['Thread']> {
    const body = { ...this.options, ...settings };
    return this.transport.json({ method: 'PUT', path: this.path, body, signal });
  }

  /** The thread with its settings, its tokens and the state of its compaction. Throws `NotFoundError`. */
  get({ signal }: CallOptions = {}): Promise<Schemas['Thread']> {
    return this.transport.json({ method: 'GET', path: this.path, signal });
  }

  /** Changes the settings that are named. Throws `NotFoundError`. */
  change(settings: Schemas['ThreadPatch'], { signal }: CallOptions = {}): Promise<Schemas['Thread']> {
    return this.transport.json({ method: 'PATCH', path: this.path, body: settings, signal });
  }

  /** Erases the thread with everything in it. */
  erase({ signal }: CallOptions = {}): Promise<void> {
    return this.transport.json({ method: 'DELETE', path: this.path, signal });
  }

  /** Records messages: all or none. Large tool results leave the context; the answer has what stays of them. */
  append(
    messages: Message | readonly Message[],
    options: AppendOptions & { context: true | NextContextOptions },
  ): Promise<AppendedWithContext>;
  append(messages: Message | readonly Message[], options?: AppendOptions): Promise<Appended>;
  append(
    messages: Message | readonly Message[],
    options: AppendOptions & { context?: true | NextContextOptions } = {},
  ): Promise<Appended> {
    const { context, usage, fingerprint, ifLastSeq, idempotencyKey, format, signal } = options;
    const wanted = context === undefined ? {} : { context: true, ...(context === true ? {} : context) };
    return this.transport.json({
      method: 'POST',
      path: `${this.path}/messages`,
      query: { ...this.formatted(format), ...wanted },
      headers: {
        'idempotency-key': idempotencyKey ?? randomUuid(),
        'if-match': ifLastSeq?.toString(),
      },
      body: { messages: Array.isArray(messages) ? messages : [messages], usage, fingerprint },
      signal,
      waitMs: typeof context === 'object' ? context.wait : undefined,
    });
  }

  /** Takes the messages after `toSeq` out of the context; they stay readable. 0 empties the thread. */
  rewind(toSeq: number, options: RewindOptions = {}): Promise<Schemas['ThreadRewound']> {
    const { ifLastSeq, idempotencyKey, signal } = options;
    return this.transport.json({
      method: 'POST',
      path: `${this.path}/rewind`,
      headers: {
        'idempotency-key': idempotencyKey ?? randomUuid(),
        'if-match': ifLastSeq?.toString(),
      },
      body: { to_seq: toSeq },
      signal,
    });
  }

  /**
   * Makes a thread with the messages of this one up to `at`, by default all of them, and with its settings. Its id is
   * a new UUID unless you choose one, so that retries are safe.
   */
  fork({ at, id = randomUuid(), signal }: ForkOptions = {}): Promise<Schemas['Thread']> {
    return this.transport.json({ method: 'POST', path: `${this.path}/fork`, body: { at, id }, signal });
  }

  /**
   * The context to send to the model now. With `since`, the fingerprint of the one that you hold, `messages` is empty:
   * `append` has what is new, or `replay` has all of them.
   */
  context({ signal, format, ...options }: ContextOptions = {}): Promise<Context> {
    const body = { ...this.formatted(format), ...options };
    const path = `${this.path}/context`;
    return this.transport.json({ method: 'POST', path, body, signal, waitMs: options.wait });
  }

  /** The recorded messages by seq, every page of them. */
  messages({ signal, ...query }: MessagesOptions = {}): AsyncGenerator<Schemas['Message']> {
    return this.pages('/messages', query, signal);
  }

  /** One message whole, with its neighbours. */
  message(
    seq: number,
    { signal, ...query }: CallOptions & { around?: number; view?: 'original' | 'context' } = {},
  ): Promise<Schemas['MessageWithNeighbours']> {
    return this.read(`/messages/${seq}`, query, signal);
  }

  /** Pins a recorded message: it is in every context and in no summary. */
  pin(seq: number, pinned = true, { signal }: CallOptions = {}): Promise<Schemas['MessageChanged']> {
    const path = `${this.path}/messages/${seq}`;
    return this.transport.json({ method: 'PATCH', path, body: { pinned }, signal });
  }

  /** Searches all messages, summarized ones too, and the outputs: the best hits first, every page of them. */
  search(q: string, { signal, ...query }: SearchOptions = {}): AsyncGenerator<Schemas['SearchHit']> {
    return this.pages('/search', { q, ...query }, signal);
  }

  /**
   * The whole thread as bytes of JSON lines or Markdown: each message as it was posted, then the summaries. An export
   * that breaks off ends the stream with an error.
   */
  async export({ format, as, signal }: ExportOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const response = await this.transport.send({
      method: 'GET',
      path: `${this.path}/export`,
      query: { format, as },
      signal,
      timeoutMs: Infinity,
    });
    return response.body!;
  }

  /**
   * The whole thread as it is stored, as bytes that `restore` takes: at one moment, with media and outputs. A backup that
   * breaks off ends the stream with an error. Needs the scope `admin`.
   */
  async backUp({ signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const path = `${this.path}/backup`;
    return (await this.transport.send({ method: 'GET', path, signal, timeoutMs: Infinity })).body!;
  }

  /** Restores this thread from a backup, all of it or nothing. Its id must be free. Needs the scope `admin`. */
  restore(
    backup: ReadableStream<Uint8Array>,
    { signal }: CallOptions = {},
  ): Promise<Schemas['ThreadRestored']> {
    return this.transport.json({
      method: 'PUT',
      path: `${this.path}/backup`,
      headers: { 'content-type': 'application/octet-stream' },
      body: backup,
      signal,
      timeoutMs: Infinity,
    });
  }

  /** The offloaded outputs, newest first, every page of them. */
  outputs({ signal, ...query }: CallOptions & { limit?: number } = {}): AsyncGenerator<Schemas['Output']> {
    return this.pages('/outputs', query, signal);
  }

  /** Uploads an output of any size as a stream. Post the `stub` of the answer as the tool's result. */
  upload(
    content: ReadableStream<Uint8Array>,
    { tool, toolCallId, timeoutMs = Infinity, signal }: UploadOptions = {},
  ): Promise<Schemas['OutputUploaded']> {
    return this.transport.json({
      method: 'POST',
      path: `${this.path}/outputs`,
      query: { tool, tool_call_id: toolCallId },
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
      signal,
      timeoutMs,
    });
  }

  /** The tools with which the model reads what left its context, as its provider takes them. */
  tools({ format, signal }: CallOptions & { format?: Format } = {}): Promise<Schemas['ToolList']> {
    return this.read('/tools', this.formatted(format), signal);
  }

  /** Runs the model's call of such a tool. Post `text` of the answer as its result. */
  runTool(
    name: string,
    args: Record<string, unknown> | string,
    { maxTokens, signal }: CallOptions & { maxTokens?: number } = {},
  ): Promise<Schemas['ToolResult']> {
    const path = `${this.path}/tools/${encodeURIComponent(name)}`;
    return this.transport.json({
      method: 'POST',
      path,
      body: { arguments: args, max_tokens: maxTokens },
      signal,
    });
  }

  /** Compacts now if the thread is over its trigger; `policy` is for this call only. */
  compact(
    request: Schemas['CompactionRequest'] = {},
    { signal }: CallOptions = {},
  ): Promise<Schemas['CompactionResult']> {
    return this.transport.json({
      method: 'POST',
      path: `${this.path}/compactions`,
      body: request,
      signal,
      waitMs: request.wait_ms,
    });
  }

  /** Every generation of the summary, newest first. */
  summaries({ signal }: CallOptions = {}): AsyncGenerator<Schemas['SummaryList']['data'][number]> {
    return this.pages('/summaries', {}, signal);
  }

  /** Events of this thread as they happen, over as many connections as it takes. */
  events(options: Omit<EventsOptions, 'thread'> = {}): AsyncGenerator<SpillwayEvent> {
    return eventsOf(this.transport, { ...options, thread: this.id });
  }

  private formatted(format = this.options.format): { format?: Format } {
    return format === undefined ? {} : { format };
  }

  private read<T>(path: string, query: Query, signal: AbortSignal | undefined): Promise<T> {
    return this.transport.json({ method: 'GET', path: this.path + path, query, signal });
  }

  private pages<T>(path: string, query: Query, signal: AbortSignal | undefined): AsyncGenerator<T> {
    return itemsOf((cursor) => this.read<Page<T>>(path, { ...query, cursor }, signal));
  }
}

import { eventsOf, type EventsOptions, type SpillwayEvent } from './events.js';
import { Outputs } from './outputs.js';
import { itemsOf, type Page } from './pages.js';
import type { components } from './schema.js';
import { Thread, type ThreadOptions } from './thread.js';
import { Transport, type Call, type CallOptions, type SpillwayOptions } from './transport.js';

type Schemas = components['schemas'];

/** Filters and order of a list of threads. Filters are combined with AND. */
export interface ThreadsOptions extends CallOptions {
  /** One state or several, as `due,running`. */
  state?: string;
  model?: string;
  /** Part of the id or of the metadata. */
  q?: string;
  /** A key of the metadata and its whole value: `user=42`. */
  metadata?: string;
  /** Parked, backing off, or the last compaction failed. */
  has_errors?: boolean;
  /** Live tokens as a share of the limit, from here on: 0.8 is 80 %. */
  fill_min?: number;
  min_messages?: number;
  /** Live tokens, from here on. */
  min_tokens?: number;
  /** RFC 3339. */
  updated_after?: string;
  updated_before?: string;
  sort?: 'updated' | 'created' | 'tokens' | 'messages' | 'id' | 'fill';
  direction?: 'asc' | 'desc';
  limit?: number;
}

/** Which messages of which threads a search of the project reads. */
export interface ProjectSearchOptions extends CallOptions {
  role?: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  model?: string;
  /** A key of the metadata and its whole value: `user=42`. */
  metadata?: string;
  /** RFC 3339. */
  created_after?: string;
  created_before?: string;
  updated_after?: string;
  updated_before?: string;
  /** Threads of a page. Default: 20. */
  limit?: number;
}

/** A Spillway service. Runs wherever fetch does: Node from 20 on, browsers, edge runtimes. */
export class Spillway {
  readonly outputs: Outputs;
  private readonly transport: Transport;

  constructor(options: SpillwayOptions) {
    this.transport = new Transport(options);
    this.outputs = new Outputs(this.transport);
  }

  /** The thread of this id, which need not exist yet. Sends nothing. */
  thread(id: string, options: ThreadOptions = {}): Thread {
    return new Thread(this.transport, id, options);
  }

  /** The project's threads, every page of them. */
  threads({ signal, ...query }: ThreadsOptions = {}): AsyncGenerator<Schemas['ThreadList']['data'][number]> {
    const path = '/v1/threads';
    return itemsOf((cursor) =>
      this.call<Schemas['ThreadList']>({ method: 'GET', path, query: { ...query, cursor }, signal }),
    );
  }

  /**
   * The threads in which one message, or a call with its result, has all of these words: the newest thread first, every
   * page of them. It reads the messages of the whole project, so stop when you have what you look for.
   */
  search(q: string, { signal, ...query }: ProjectSearchOptions = {}): AsyncGenerator<Schemas['FoundThread']> {
    const path = '/v1/search';
    return itemsOf((cursor) =>
      this.call<Page<Schemas['FoundThread']>>({
        method: 'GET',
        path,
        query: { q, ...query, cursor },
        signal,
      }),
    );
  }

  /** Events of the project as they happen, over as many connections as it takes. */
  events(options: EventsOptions = {}): AsyncGenerator<SpillwayEvent> {
    return eventsOf(this.transport, options);
  }

  /** Any other operation of the API, with the same retries and errors. */
  call<T>(call: Call): Promise<T> {
    return this.transport.json<T>({ ...call, isRepeatable: call.isRepeatable ?? mayRepeat(call) });
  }
}

/** Most operations that POST do something once more when they are repeated: a turn of chat asks the model again. */
const mayRepeat = ({ method, headers = {} }: Call): boolean =>
  method !== 'POST' || Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');

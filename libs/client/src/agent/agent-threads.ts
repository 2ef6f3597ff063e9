import { ConnectionError } from '../errors.js';
import { Spillway } from '../spillway.js';
import type { Format } from '../thread.js';
import type { SpillwayOptions } from '../transport.js';
import { AgentThread } from './agent-thread.js';
import { Availability, type AvailabilityOptions, type Status } from './availability.js';
import { readerTools, type ReaderTool, type ReaderToolName } from './reader-tools.js';

export interface AgentOptions extends SpillwayOptions, AvailabilityOptions {
  /** Milliseconds that a context waits for a compaction that is due. Default: 200. */
  waitMs?: number;
  /** Names of the reader tools, as in `outputs.tool_names` of the policy. */
  toolNames?: Partial<Record<ReaderToolName, string>>;
}

/** A model call, or a tool's result, waits for these requests, so they give up early. */
export const agentDefaults = { maxRetries: 1, timeoutMs: 10_000, maxRetryAfterMs: 2_000 };

/** Threads that are known by heart. One that was dropped is read again. */
const maxThreads = 1_000;

/** The threads of an agent's program, for adapters: one object for each, and whether Spillway can be reached. */
export class AgentThreads {
  /** The tools to give to the model, beside its own. */
  readonly readers: ReaderTool[];
  private readonly availability: Availability;
  private readonly spillway: Spillway;
  private readonly threads = new Map<string, AgentThread>();

  constructor(
    private readonly format: Format,
    private readonly options: AgentOptions,
  ) {
    this.spillway = new Spillway({ ...agentDefaults, ...options, key: keyOf(options) });
    this.availability = new Availability(options);
    this.readers = readerTools(options.toolNames);
  }

  /** Whether Spillway can be reached, as the last requests found. */
  get status(): Status {
    return this.availability.status;
  }

  /** The thread of this id, the same object each time while it is in use. Sends nothing. */
  thread(id: string): AgentThread {
    const { format, options } = this;
    const thread =
      this.threads.get(id) ??
      new AgentThread(this.spillway.thread(id, { format }), this.availability, {
        format,
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        timeoutMs: options.timeoutMs ?? agentDefaults.timeoutMs,
        warn: (detail) => this.availability.warn(`Spillway warns of the thread ${id}: ${detail}`, detail),
      });
    // The map's order is that of last use.
    this.threads.delete(id);
    this.threads.set(id, thread);
    if (this.threads.size > maxThreads) this.threads.delete(this.threads.keys().next().value!);
    return thread;
  }

  /** Whether a tool of this name is one of the reader tools. */
  isReader(name: string): boolean {
    return this.readers.some((tool) => tool.name === name);
  }
}

/** Who issues tokens may be away as Spillway may: the agent goes on in the same way. */
const keyOf = ({ key }: AgentOptions): AgentOptions['key'] =>
  typeof key === 'string'
    ? key
    : async () => {
        try {
          return await key();
        } catch (cause) {
          const why = cause instanceof Error ? cause.message : String(cause);
          throw new ConnectionError('unreachable', `No key could be had: ${why}`, 0, null, { cause });
        }
      };

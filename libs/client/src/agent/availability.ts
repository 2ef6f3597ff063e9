import { ConnectionError, RateLimitedError, SpillwayError, UnavailableError } from '../errors.js';

/** Whether Spillway can be reached, and what went without it. */
export interface Status {
  state: 'up' | 'down';
  /** Model calls that went ahead with the caller's own messages. */
  bypassed_calls: number;
  /** Requests to Spillway that failed, after their retries. */
  failures: number;
  last_error: string | null;
}

export interface AvailabilityOptions {
  /**
   * Gets one line when Spillway goes down, one when it is back, and one for each unknown model, whose context window is a
   * guess. Default: console.warn.
   */
  log?: (line: string) => void;
  /** Milliseconds after a failure in which no request is sent. Default: 5,000. */
  pauseMs?: number;
}

/** Lets an agent go on while Spillway cannot be reached, and says so: once in the log, and in counters. */
export class Availability {
  private current: Status = { state: 'up', bypassed_calls: 0, failures: 0, last_error: null };
  private bypassedSinceUp = 0;
  private nextTryAt = 0;
  /** Whether the log was told of calls that Spillway turned away, since it took one. */
  private hasToldRefusal = false;

  private readonly warned = new Set<string>();

  constructor(private readonly options: AvailabilityOptions) {}

  get status(): Status {
    return { ...this.current };
  }

  /**
   * Returns what the work returns, or null when Spillway cannot be reached or has no capacity for it. Throws what Spillway
   * answers otherwise: a wrong key or a refused message does not mend itself, and must not look like an outage.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.current.state === 'down' && performance.now() < this.nextTryAt) return null;
    try {
      const result = await work();
      this.up();
      return result;
    } catch (error) {
      if (isOutage(error)) this.down(error);
      else if (isRefusal(error)) this.refused(error);
      else throw error;
      return null;
    }
  }

  /** Counts a model call that goes ahead without Spillway. */
  countBypass(): void {
    this.current.bypassed_calls++;
    this.bypassedSinceUp++;
  }

  private up(): void {
    this.hasToldRefusal = false;
    if (this.current.state === 'up') return;
    this.current.state = 'up';
    this.log(`Spillway is back. Model calls without it: ${this.bypassedSinceUp}.`);
    this.bypassedSinceUp = 0;
  }

  /** One call was too much, of one conversation: the others go on. */
  private refused(error: Error): void {
    this.count(error);
    if (this.hasToldRefusal) return;
    this.hasToldRefusal = true;
    this.log(`Spillway has no capacity for a call: ${error.message} Such calls go ahead without it.`);
  }

  private count(error: Error): void {
    this.current.failures++;
    this.current.last_error = error.message;
  }

  private down(error: Error): void {
    const wasUp = this.current.state === 'up';
    this.count(error);
    this.current.state = 'down';
    this.nextTryAt = performance.now() + (this.options.pauseMs ?? 5_000);
    if (wasUp)
      this.log(
        `Spillway cannot be reached: ${error.message} Model calls go ahead with the caller's own messages.`,
      );
  }

  /** Logs a line once for each subject: threads of one model have one problem. */
  warn(line: string, subject: string): void {
    if (this.warned.has(subject)) return;
    this.warned.add(subject);
    this.log(line);
  }

  private log(line: string): void {
    (this.options.log ?? console.warn)(line);
  }
}

const passingCodes = new Set(['storage_unavailable', 'thread_busy', 'request_timeout']);

/**
 * A limit concerns one key, one thread or one tool; storage that is away, a message with a large result; a thread that is
 * busy and a body that was too slow, one call.
 */
const isRefusal = (error: unknown): error is SpillwayError =>
  error instanceof RateLimitedError || (error instanceof SpillwayError && passingCodes.has(error.code));

const isOutage = (error: unknown): error is SpillwayError =>
  error instanceof ConnectionError || (error instanceof UnavailableError && !isRefusal(error));

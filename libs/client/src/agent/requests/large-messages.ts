import type { Message, Thread } from '../../thread.js';
import { hasTooManyBytes, isTooLarge, sizeOf } from './batch.js';
import { largeResultsOf, type LargeResult } from './large-results.js';

/** An upload has the time of a request for each of these bytes. */
const bytesInTime = 8 * 1024 * 1024;

/** Whether a message fits into a request, if need be with stubs in place of its results. */
export function fitsWithStubs(message: Message): boolean {
  const smallest = largeResultsOf(message).reduce((rest, { stubbed }) => stubbed(rest, ''), message);
  return !isTooLarge(sizeOf(smallest));
}

/** How `withStubs` uploads. */
export interface StubOptions {
  /** Milliseconds for an upload of up to 8 MiB; a larger one has as much more for each further 8 MiB. Default: no limit. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Returns a message as a request may have it: of one that is too large, or whose JSON has more values, keys or levels than
 * the API takes, the largest results are uploaded, and their stubs stand in their place. One that is too large without
 * them comes back so, for the API to refuse.
 */
export async function withStubs(
  thread: Thread,
  message: Message,
  { timeoutMs = Infinity, signal }: StubOptions = {},
): Promise<Message> {
  let posted = message;
  let results: LargeResult[] | undefined;
  for (let size = sizeOf(posted); isTooLarge(size); size = sizeOf(posted)) {
    results ??= largeResultsOf(message);
    const next = hasTooManyBytes(size) ? results[0] : maxBy(results, ({ values }) => values);
    if (!next) return posted;
    results = results.filter((one) => one !== next);
    const { callId, toolName, text, stubbed } = next;
    const content = new Blob([text]);
    const { stub } = await thread.upload(content.stream(), {
      toolCallId: callId,
      ...(toolName === undefined ? {} : { tool: toolName }),
      signal,
      timeoutMs: timeoutMs * Math.ceil(content.size / bytesInTime),
    });
    posted = stubbed(posted, stub);
  }
  return posted;
}

function maxBy<T>(list: readonly T[], measure: (one: T) => number): T | undefined {
  let [max, most] = [list[0], -Infinity];
  for (const one of list) {
    const measured = measure(one);
    if (measured > most) [max, most] = [one, measured];
  }
  return max;
}

/** Makes messages of an agent that no request may have small enough: uploads their largest results, and posts the stubs. */
export class LargeMessages {
  /** The newest such message, and what is posted in its place. */
  private newest: { message: Message; posted: Message } | undefined;

  constructor(
    private readonly thread: Thread,
    /** Milliseconds for an upload of up to 8 MiB; a larger one has as much more for each further 8 MiB. */
    private readonly timeoutMs: number,
  ) {}

  /** Returns what to post for a batch. A message that is sent again has the same stubs. */
  async postable(batch: readonly Message[], signal: AbortSignal | undefined): Promise<readonly Message[]> {
    const [message] = batch;
    if (batch.length > 1 || !message || !isTooLarge(sizeOf(message))) return batch;
    if (this.newest?.message !== message)
      this.newest = {
        message,
        posted: await withStubs(this.thread, message, { timeoutMs: this.timeoutMs, signal }),
      };
    return [this.newest.posted];
  }

  /**
   * Forgets the newest uploads, which expire when their message is not recorded within an hour, as in a long outage: the
   * next try makes them again. Returns whether there are any.
   */
  forget(): boolean {
    const had = this.newest !== undefined;
    this.newest = undefined;
    return had;
  }
}

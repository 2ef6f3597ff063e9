import type { Payload } from '@spillway/jobs';

/** More hints than a worker has slots wait in Redis, so few wait here; this bounds those of threads that others fold. */
const maxWaiting = 1_000;

type Hint = Payload<'compact-thread'>;

/**
 * The traces of threads whose hints this process took. A hint says that there is work and not which thread is next
 * (ADR 22), so the fold of its thread may come with a later job: the trace waits here for it.
 */
export class WaitingTraces {
  private readonly byThread = new Map<string, string>();

  /** Keeps the trace that a job names for its thread; of several the newest, and of too many the newest ones. */
  keep(of: Hint): void {
    if (of.traceparent === undefined) return;
    this.byThread.delete(keyOf(of));
    this.byThread.set(keyOf(of), of.traceparent);
    if (this.byThread.size <= maxWaiting) return;
    const [oldest] = this.byThread.keys();
    this.byThread.delete(oldest!);
  }

  /** What to continue for this thread, once. */
  take(of: Hint): { traceparent?: string } {
    const traceparent = this.byThread.get(keyOf(of));
    this.byThread.delete(keyOf(of));
    return traceparent === undefined ? {} : { traceparent };
  }
}

const keyOf = ({ projectId, threadId }: Hint): string => `${projectId}/${threadId}`;

import type { ModelThread } from './thread-model.js';

export interface Reply {
  status: number;
  body: unknown;
}

/** A request with its answer, and when it began and ended. */
export interface Done {
  name: string;
  reply: Reply;
  sentAt: number;
  answeredAt: number;
  /** The thread after the request, if it answers so for this thread; null when it does not. */
  step: (thread: ModelThread, reply: Reply) => ModelThread | null;
  /** Another part of the same answer that comes first. */
  after?: Done;
}

/**
 * Finds an order in which the requests, one after another, give exactly the answers that they had. One that was answered
 * before another was sent stands before it. Returns the thread after them, or null when there is no such order.
 */
export function inSomeOrder(thread: ModelThread, open: readonly Done[]): ModelThread | null {
  if (open.length === 0) return thread;
  for (const next of open) {
    const isFirst = open.every(
      (other) => other === next || (other.answeredAt >= next.sentAt && other !== next.after),
    );
    if (!isFirst) continue;
    const after = next.step(thread, next.reply);
    if (!after) continue;
    const end = inSomeOrder(
      after,
      open.filter((other) => other !== next),
    );
    if (end) return end;
  }
  return null;
}

import type { HintedThread } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import { activeTraceparent } from '../tracing/spans.js';

/**
 * Hints to a worker that a thread is due, or that its next fold may be prepared now. Best effort: the row has the
 * state, and the reconciler finds it.
 */
export function hintCompaction(rt: Runtime, thread: HintedThread): void {
  const { state, prepareAt, preparedGeneration, updatedAt } = thread;
  const mayBePrepared = state === 'idle' && preparedGeneration === 0 && prepareAt !== null;
  if (state !== 'due' && !(mayBePrepared && prepareAt <= updatedAt)) return;
  const { projectId, id: threadId } = thread;
  const traceparent = activeTraceparent();
  const payload = { projectId, threadId, ...(traceparent === undefined ? {} : { traceparent }) };
  void rt.hints.send('compact-thread', payload, hintKey(thread));
}

/** One hint per thread and attempt: more hints add nothing while one waits. */
export const hintKey = (thread: {
  projectId: string;
  id: string;
  generation: number;
  leaseEpoch: number;
}): string =>
  `${thread.projectId}-${Buffer.from(thread.id).toString('base64url')}-${thread.generation}-${thread.leaseEpoch}`;

/** Hints at the first threads that a change of settings unparked: workers find the others in Postgres. */
export function hintUnparked(rt: Runtime, threads: readonly HintedThread[]): void {
  for (const thread of threads) hintCompaction(rt, thread);
}

import { asService, dueThreads, threadsToPrepare } from '@spillway/store';
import type { FairCompactor } from './compact-fairly.js';
import { hintKey } from './hint-compaction.js';
import type { Runtime } from '../runtime.js';

/** Maximum of threads hinted at a time: Redis holds a short queue, not a second backlog. */
const runway = 200;

export const slotsWithoutRedis = 4;

/**
 * Finds the threads that are due in Postgres and hints them again while hints are accepted. Returns how many were due,
 * and whether Redis accepted all hints.
 */
export async function reconcileThreads(rt: Runtime): Promise<{ due: number; hinted: boolean }> {
  const due = await asService(() => dueThreads(rt.store.query, runway));
  const ahead = await asService(() => threadsToPrepare(rt.store.query, runway));
  for (const thread of [...due, ...ahead]) {
    const key = hintKey({ ...thread, id: thread.threadId });
    const { projectId, threadId } = thread;
    const hinted = await rt.hints.send('compact-thread', { projectId, threadId }, key);
    if (!hinted) return { due: due.length, hinted };
  }
  return { due: due.length, hinted: true };
}

/**
 * Compacts due threads one after another until there are none: what a worker does in each of its `slotsWithoutRedis`
 * while Redis is unavailable.
 */
export async function compactWhileDue(rt: Runtime, compactor: FairCompactor): Promise<void> {
  for (;;) {
    const outcome = await compactor.next().catch((error: unknown) => {
      rt.log.error({ err: error }, 'a compaction failed');
      return undefined;
    });
    if (outcome === undefined || outcome.kind === 'skipped') return;
  }
}

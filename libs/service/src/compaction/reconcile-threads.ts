import { asService, dueThreads, threadsToPrepare } from '@spillway/store';
import type { FairCompactor } from './compact-fairly.js';
import { hintKey } from './hint-compaction.js';
import type { Runtime } from '../runtime.js';

/** Maximum of threads hinted at a time: Redis holds a short queue, not a second backlog. */
const runway = 200;
const atOnce = 4;

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

/** Compacts due threads in this process until there are none: what a worker does while Redis is unavailable. */
export async function compactDueThreads(rt: Runtime, compactor: FairCompactor): Promise<void> {
  const one = async () => {
    for (;;) {
      const outcome = await compactor.next().catch((error: unknown) => {
        rt.log.error({ err: error }, 'a compaction failed');
        return undefined;
      });
      const ended = outcome === undefined || outcome.kind === 'skipped';
      if (ended) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

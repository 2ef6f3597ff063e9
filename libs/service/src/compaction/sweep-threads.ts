import { asService, dueThreads } from '@spillway/store';
import type { FairCompactor } from './compact-fairly.js';
import { hintKey } from './hint-compaction.js';
import type { Runtime } from '../runtime.js';

/** Hints at most this many threads at a time: Redis is a short runway, not a second backlog. */
const runway = 200;
const atOnce = 4;

/**
 * Finds the threads that Postgres says are due and hints at them again, as long as hints are taken. Gives how many it
 * found, and whether Redis took them all.
 */
export async function sweepThreads(rt: Runtime): Promise<{ due: number; hinted: boolean }> {
  const due = await asService(() => dueThreads(rt.store.query, runway));
  for (const thread of due) {
    const key = hintKey({ ...thread, id: thread.threadId });
    const { projectId, threadId } = thread;
    const hinted = await rt.hints.send('compact-thread', { projectId, threadId }, key);
    if (!hinted) return { due: due.length, hinted };
  }
  return { due: due.length, hinted: true };
}

/** Compacts due threads here and now until there are none: what a worker does while Redis is away. */
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

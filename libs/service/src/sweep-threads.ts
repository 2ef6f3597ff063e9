import { asService, dueThreads } from '@spillway/store';
import { compactThread } from './compact-thread.js';
import { hintKey } from './hint-compaction.js';
import type { Runtime } from './runtime.js';

/** Hints at most this many threads at a time: Redis is a short runway, not a second backlog. */
const runway = 200;
const atOnce = 4;

/** Finds the threads that Postgres says are due and hints at them again, taking turns between projects. */
export async function sweepThreads(rt: Runtime): Promise<void> {
  const due = await asService(() => dueThreads(rt.store.query, runway));
  for (const thread of due) {
    const key = hintKey({ ...thread, id: thread.threadId });
    await rt.hints.send('compact-thread', { projectId: thread.projectId, threadId: thread.threadId }, key);
  }
}

/** Compacts due threads here and now: what a worker does while Redis is away. Gives how many it looked at. */
export async function compactDueThreads(rt: Runtime): Promise<number> {
  const due = await asService(() => dueThreads(rt.store.query, runway));
  const waiting = [...due];
  const one = async () => {
    for (let next = waiting.shift(); next && !rt.draining.aborted; next = waiting.shift()) {
      await compactThread(rt, next).catch((error: unknown) => {
        rt.log.error({ err: error, threadId: next?.threadId }, 'a compaction failed');
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return due.length;
}

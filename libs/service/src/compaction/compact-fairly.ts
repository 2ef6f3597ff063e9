import { skipped, type Outcome } from '@spillway/jobs';
import { asService, dueThreadsOfEachProject, type DueThread } from '@spillway/store';
import { compactThread } from './compact-thread.js';
import type { Runtime } from '../runtime.js';

export interface FairCompactor {
  /** Compacts the next thread in turn; returns `not_due` when there is none. */
  next(): Promise<Outcome>;
  /** Compactions that run in this process. */
  running(): number;
  /** When the last one was begun, by performance.now(). */
  begunAt(): number;
}

/**
 * Schedules fairly between projects: the next free slot of this process goes to the project with the fewest slots, and
 * there to the thread that has waited longest. A hint only says that there is work. Ten thousand due threads of one
 * project delay another project's thread by one compaction.
 */
export function fairCompactor(rt: Runtime): FairCompactor {
  const slots = new Map<string, number>();
  const taken = new Set<string>();
  let begunAt = performance.now();

  const nameOf = (thread: DueThread): string => `${thread.projectId}/${thread.threadId}`;
  const slotsOf = (projectId: string): number => slots.get(projectId) ?? 0;

  async function compact(thread: DueThread): Promise<Outcome> {
    const { projectId } = thread;
    taken.add(nameOf(thread));
    slots.set(projectId, slotsOf(projectId) + 1);
    begunAt = performance.now();
    try {
      return await compactThread(rt, thread);
    } finally {
      taken.delete(nameOf(thread));
      if (slotsOf(projectId) > 1) slots.set(projectId, slotsOf(projectId) - 1);
      else slots.delete(projectId);
    }
  }

  return {
    async next() {
      const due = await asService(() => dueThreadsOfEachProject(rt.store.query));
      for (;;) {
        if (rt.draining.aborted) return skipped('shutting_down');
        // Another slot may have taken a thread meanwhile, so free slots are counted again each time.
        const free = due.filter((thread) => !taken.has(nameOf(thread)));
        const [turn] = free.sort(
          (a, b) => slotsOf(a.projectId) - slotsOf(b.projectId) || b.waitedMs - a.waitedMs,
        );
        if (!turn) return skipped('not_due');
        due.splice(due.indexOf(turn), 1);
        const outcome = await compact(turn);
        const lost = outcome.kind === 'skipped' && outcome.reason === 'not_due';
        if (!lost) return outcome;
      }
    },
    running: () => taken.size,
    begunAt: () => begunAt,
  };
}

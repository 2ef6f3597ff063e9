import { noProgress, skipped, type Outcome, type Payload, type ReportProgress } from '@spillway/jobs';
import { asService, dueThreadsOfEachProject, threadsToPrepare, type DueThread } from '@spillway/store';
import { atMost } from '../operations/at-most.js';
import { isOutage } from '../operations/when-available.js';
import type { Runtime } from '../runtime.js';
import { WaitingTraces } from '../tracing/waiting-traces.js';
import { compactThread } from './compact-thread.js';

/** Threads to prepare that are looked at for one slot. */
const atOnce = 16;

/**
 * An attempt that was overtaken says so with a hint, just before it leaves its slot. Whoever takes the hint waits for
 * that this long.
 */
const leavesWithinMs = 1_000;

/** The thread that a job names, and the trace that it fell due in. */
type AskedFor = Payload<'compact-thread'>;

export interface FairCompactor {
  /**
   * Compacts a thread of the project whose turn it is: the one that is asked for when it is that project's, else the
   * one that has waited longest. `not_due` when there is none.
   */
  next(asked?: AskedFor, progress?: ReportProgress): Promise<Outcome>;
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
  const slots = new Slots();
  const traces = new WaitingTraces();
  let begunAt = performance.now();

  async function compact(thread: DueThread, progress: ReportProgress): Promise<Outcome> {
    const named = { project_id: thread.projectId, thread_id: thread.threadId };
    slots.take(thread);
    begunAt = performance.now();
    try {
      const outcome = await compactThread(rt, { ...thread, ...traces.take(thread) }, (step) =>
        progress({ ...named, ...step }),
      );
      return { ...outcome, facts: { ...named, ...outcome.facts } };
    } finally {
      slots.release(thread);
    }
  }

  /**
   * Compacts the one of these whose turn it is, and null when each of them is taken or not due any more. One that cannot
   * be claimed, because another transaction holds it or its row is refused, does not keep the others waiting.
   */
  async function compactOneOf(
    due: DueThread[],
    asked: AskedFor | undefined,
    progress: ReportProgress,
  ): Promise<Outcome | null> {
    let failure: Error | undefined;
    for (;;) {
      if (rt.draining.aborted) return skipped('shutting_down');
      // Another slot may have taken a thread meanwhile, so free slots are counted again each time.
      const free = due.filter((thread) => !slots.hasTaken(thread));
      const [first] = free.sort(
        (a, b) => slots.of(a.projectId) - slots.of(b.projectId) || b.waitedMs - a.waitedMs,
      );
      const isAsked = (thread: DueThread) =>
        thread.projectId === first?.projectId && asked !== undefined && nameOf(thread) === nameOf(asked);
      const turn = free.find(isAsked) ?? first;
      if (!turn && failure) throw failure;
      if (!turn) return null;
      due.splice(due.indexOf(turn), 1);
      const outcome = await compact(turn, progress).catch((error: unknown) => {
        if (isOutage(error)) throw error;
        rt.log.warn({ err: error, project: turn.projectId }, 'a due thread could not be claimed');
        failure = error as Error;
      });
      if (!outcome) continue;
      const lost = outcome.kind === 'skipped' && outcome.reason === 'not_due';
      if (!lost) return outcome;
    }
  }

  return {
    async next(asked, progress = noProgress) {
      if (asked) traces.keep(asked);
      const { query } = rt.store;
      const findDue = () => asService(() => dueThreadsOfEachProject(query));
      const due = await findDue();
      // Due, and still in a slot: its attempt has ended.
      const leaving = asked && due.some((thread) => nameOf(thread) === nameOf(asked)) && slots.left(asked);
      const outcome = await compactOneOf(due, asked, progress);
      if (outcome) return outcome;
      if (leaving) {
        await atMost(leavesWithinMs, leaving);
        const again = await compactOneOf(await findDue(), asked, progress);
        if (again) return again;
      }
      // What can wait for its trigger comes after everything that is due.
      const early = await asService(() => threadsToPrepare(query, atOnce));
      return (await compactOneOf(early, asked, progress)) ?? skipped('not_due');
    },
    running: () => slots.running,
    begunAt: () => begunAt,
  };
}

const nameOf = ({ projectId, threadId }: AskedFor): string => `${projectId}/${threadId}`;

/** The threads that this process compacts now. */
class Slots {
  private readonly taken = new Map<string, PromiseWithResolvers<void>>();
  private readonly byProject = new Map<string, number>();

  get running(): number {
    return this.taken.size;
  }

  of(projectId: string): number {
    return this.byProject.get(projectId) ?? 0;
  }

  hasTaken(thread: AskedFor): boolean {
    return this.taken.has(nameOf(thread));
  }

  /** When the thread that is compacted now has left its slot; undefined when it is in none. */
  left(thread: AskedFor): Promise<void> | undefined {
    return this.taken.get(nameOf(thread))?.promise;
  }

  take(thread: AskedFor): void {
    this.taken.set(nameOf(thread), Promise.withResolvers());
    this.byProject.set(thread.projectId, this.of(thread.projectId) + 1);
  }

  release(thread: AskedFor): void {
    const left = this.of(thread.projectId) - 1;
    this.taken.get(nameOf(thread))?.resolve();
    this.taken.delete(nameOf(thread));
    if (left > 0) this.byProject.set(thread.projectId, left);
    else this.byProject.delete(thread.projectId);
  }
}

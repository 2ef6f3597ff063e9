import type { Handlers } from '@spillway/jobs';
import {
  compactWhileDue,
  outageLog,
  reconcileThreads,
  slotsWithoutRedis,
  type FairCompactor,
  type Runtime,
} from '@spillway/service';
import { oneAtATime } from './one-at-a-time.js';
import { ownSchedule } from './own-schedule.js';
import type { Watchdog } from './watchdog.js';

interface Reconciled {
  compactor: FairCompactor;
  watchdog: Watchdog;
  handlers: Handlers;
  everyMs: number;
}

/**
 * The worker's reconciler. It hints every due thread again, restores the schedules after Redis lost its data, and does
 * the work itself while Redis is unavailable. So Redis affects latency only. Compactions and repeated jobs may take
 * longer than a beat: it begins them and does not wait. Returns a function that stops it.
 */
export function startReconciler(
  rt: Runtime,
  { compactor, watchdog, handlers, everyMs }: Reconciled,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const repeated = ownSchedule(rt.timing.jobs, handlers, {
    onError: (job, error) => rt.log.error({ err: error, job }, 'a repeated job failed'),
  });
  const slots = Array.from({ length: slotsWithoutRedis }, () =>
    oneAtATime(() => compactWhileDue(rt, compactor)),
  );
  const compactDue = () => {
    for (const slot of slots) slot.begin();
  };
  const outages = outageLog(rt.log, 'the look for due threads');

  const beat = async () => {
    if (await rt.hints.schedule()) {
      const { due, hinted } = await reconcileThreads(rt);
      watchdog.look(due);
      // Hints that were refused, evicted or never delivered: the rows are the truth, so the work is done here.
      const idleMs = performance.now() - compactor.begunAt();
      const starving = compactor.running() === 0 && idleMs > 2 * everyMs;
      if (due > 0 && (!hinted || starving)) compactDue();
      if (hinted) return;
    } else {
      watchdog.blind();
      compactDue();
    }
    repeated.begin();
  };
  const next = (inMs: number) => {
    timer = setTimeout(() => {
      running = beat()
        .then(outages.worked, (error: unknown) => {
          watchdog.blind();
          outages.failed(error);
        })
        .finally(() => stopped || next(everyMs));
    }, inMs);
  };
  next(Math.min(everyMs, 500));
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
    await Promise.all([...slots, repeated].map((work) => work.idle()));
  };
}

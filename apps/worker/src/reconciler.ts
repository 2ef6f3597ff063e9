import type { Handlers } from '@spillway/jobs';
import {
  compactDueThreads,
  outageLog,
  reconcileThreads,
  type FairCompactor,
  type Runtime,
  type WebhookSender,
} from '@spillway/service';
import { ownSchedule } from './own-schedule.js';
import type { Watchdog } from './watchdog.js';

interface Reconciled {
  compactor: FairCompactor;
  sender: WebhookSender;
  watchdog: Watchdog;
  handlers: Handlers;
  everyMs: number;
}

/**
 * The worker's reconciler. It hints every due thread again, restores the schedules after Redis lost its data, and does
 * the work itself while Redis is unavailable. So Redis affects latency only. Returns a function that stops it.
 */
export function startReconciler(
  rt: Runtime,
  { compactor, sender, watchdog, handlers, everyMs }: Reconciled,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const runRepeated = ownSchedule(rt.timing.jobs, handlers);
  const outages = outageLog(rt.log, 'the look for due threads');

  const beat = async () => {
    // Also with Redis: a read that finds nothing is cheap, and a queue may have stalled.
    await sender.look();
    if (await rt.hints.schedule()) {
      const { due, hinted } = await reconcileThreads(rt);
      watchdog.look(due);
      // Hints that were refused, evicted or never delivered: the rows are the truth, so the work is done here.
      const idleMs = performance.now() - compactor.begunAt();
      const starving = compactor.running() === 0 && idleMs > 2 * everyMs;
      if (due > 0 && (!hinted || starving)) await compactDueThreads(rt, compactor);
      if (hinted) return;
    } else {
      watchdog.blind();
      await compactDueThreads(rt, compactor);
    }
    await runRepeated();
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
  };
}

import type { JobName } from '@spillway/jobs';
import {
  compactDueThreads,
  sweepOutputs,
  sweepStorage,
  reconcileThreads,
  type FairCompactor,
  type Runtime,
  type WebhookSender,
} from '@spillway/service';
import type { Watchdog } from './watchdog.js';

interface Pulsing {
  compactor: FairCompactor;
  sender: WebhookSender;
  dog: Watchdog;
  everyMs: number;
}

/**
 * The worker's reconciler. It hints every due thread again, restores the schedules after Redis lost its data, and does
 * the work itself while Redis is unavailable. So Redis affects latency only. Returns a function that stops it.
 */
export function startReconciler(
  rt: Runtime,
  { compactor, sender, dog, everyMs }: Pulsing,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const sweeps = [
    { job: 'sweep-outputs', at: performance.now(), run: sweepOutputs },
    { job: 'sweep-storage', at: performance.now(), run: sweepStorage },
  ] satisfies { job: JobName; at: number; run: (rt: Runtime) => Promise<unknown> }[];

  const beat = async () => {
    // Also with Redis: a read that finds nothing is cheap, and a queue may have stalled.
    await sender.look();
    if (await rt.hints.schedule()) {
      const { due, hinted } = await reconcileThreads(rt);
      dog.look(due);
      // Hints that were refused, evicted or never delivered: the rows are the truth, so the work is done here.
      const idleMs = performance.now() - compactor.begunAt();
      const starving = compactor.running() === 0 && idleMs > 2 * everyMs;
      if (due > 0 && (!hinted || starving)) await compactDueThreads(rt, compactor);
      if (hinted) return;
    } else await compactDueThreads(rt, compactor);
    for (const sweep of sweeps) {
      if (performance.now() - sweep.at < (rt.timing.jobs[sweep.job] ?? Infinity)) continue;
      sweep.at = performance.now();
      await sweep.run(rt);
    }
  };
  const next = (inMs: number) => {
    timer = setTimeout(() => {
      running = beat()
        .catch((error: unknown) => rt.log.warn({ err: error }, 'the worker could not look for due threads'))
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

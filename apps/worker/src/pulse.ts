import type { JobName } from '@spillway/jobs';
import {
  compactDueThreads,
  sweepOutputs,
  sweepStorage,
  sweepThreads,
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
 * The worker's own pulse: the reconciler. It hints again at every thread that the rows say is due, and makes sure
 * that a wiped Redis learns its schedules again; while Redis is away it does the work itself. So Redis changes
 * latency and nothing else. Gives a function that stops it.
 */
export function startPulse(rt: Runtime, { compactor, sender, dog, everyMs }: Pulsing): () => Promise<void> {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const sweeps = [
    { job: 'sweep-outputs', at: performance.now(), run: sweepOutputs },
    { job: 'sweep-storage', at: performance.now(), run: sweepStorage },
  ] satisfies { job: JobName; at: number; run: (rt: Runtime) => Promise<unknown> }[];

  const beat = async () => {
    // With Redis as well: a look that finds nothing costs one read, and a queue may be asleep.
    await sender.look();
    if (await rt.hints.schedule()) {
      const { due, hinted } = await sweepThreads(rt);
      dog.look(due);
      // Hints that are refused, evicted or never handed out again: the rows are right, so the work is done here.
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

import { compactDueThreads, sweepOutputs, sweepThreads, type Runtime } from '@spillway/service';

const sweepEveryMs = 60_000;

/**
 * The worker's own pulse: the reconciler. It hints again at every thread that the rows say is due, and makes sure
 * that a wiped Redis learns its schedules again; while Redis is away it does the work itself. So Redis changes
 * latency and nothing else. Gives a function that stops it.
 */
export function startPulse(rt: Runtime, everyMs: number): () => Promise<void> {
  let stopped = false;
  let sweptAt = performance.now();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;

  const beat = async () => {
    if (rt.hints.isUp()) {
      await rt.hints.schedule();
      await sweepThreads(rt);
      return;
    }
    await compactDueThreads(rt);
    if (performance.now() - sweptAt < sweepEveryMs) return;
    sweptAt = performance.now();
    await sweepOutputs(rt);
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

import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '@spillway/engine';
import { asUnavailable } from '@spillway/store';
import type { Runtime } from '../runtime.js';

const againMs = 1_000;

/**
 * Does what a process does once, at its start. While Postgres is away the process serves all the same, with 503, and the
 * work is done once Postgres is back: a process that ended would be started again by its supervisor with a growing
 * delay. Throws what `work` throws for another reason; later such an error is logged.
 */
export async function whenAvailable(rt: Runtime, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isOutage(error)) throw error;
    rt.log.warn({ err: error, waiting: what }, 'Postgres does not answer; a step of the start waits for it');
    void workLater(rt, what, work);
  }
}

async function workLater(rt: Runtime, what: string, work: () => Promise<void>): Promise<void> {
  while (!rt.draining.aborted) {
    await sleep(againMs, undefined, { ref: false });
    try {
      await work();
      rt.log.info({ done: what }, 'Postgres answers; the step of the start is done');
      return;
    } catch (error) {
      if (isOutage(error)) continue;
      rt.log.error({ err: error, failed: what }, 'a step of the start failed');
      return;
    }
  }
}

/** Whether Postgres could not be asked, so that the same may succeed later. */
export function isOutage(error: unknown): boolean {
  const known = asUnavailable(error);
  return known instanceof SpillwayError && known.code === 'database_unavailable';
}

import type { FairCompactor, Runtime } from '@spillway/service';

/** Threads are due, nothing runs and nothing was begun for this long: the consumer is opened anew … */
const reopenMs = 60_000;
/** … and after this long the process ends, for its supervisor to start another. */
const giveUpMs = 180_000;

export interface Watchdog {
  /** Called with every pulse, with how many threads it found due. */
  look(due: number): void;
}

/**
 * Watches progress, not pulse: a queue's consumer can be alive and never take a job again after its Redis was gone
 * for long.
 */
export function watchdog(rt: Runtime, compactor: FairCompactor, reopen: () => void): Watchdog {
  let calmAt = performance.now();
  let reopenedAt = -Infinity;
  return {
    look(due) {
      const now = performance.now();
      if (due === 0 || compactor.running() > 0) calmAt = now;
      const stuckMs = now - Math.max(calmAt, compactor.begunAt());
      if (stuckMs > giveUpMs) {
        rt.log.fatal({ due, stuckMs }, 'threads are due and none is begun; ending');
        process.exit(1);
      }
      if (stuckMs > reopenMs && now - reopenedAt > reopenMs) {
        rt.log.error({ due, stuckMs }, 'threads are due and none is begun; opening the queue anew');
        reopenedAt = now;
        reopen();
      }
    },
  };
}

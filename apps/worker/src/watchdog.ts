import type { FairCompactor, Runtime } from '@spillway/service';

/** Threads are due and the queue has handed out none for this long: its consumer is opened anew … */
const reopenMs = 60_000;
/** … and when none was begun in any way for this long, the process ends, for its supervisor to start another. */
const giveUpMs = 180_000;

export interface Watchdog {
  /** Called with every pulse, with how many threads it found due. */
  look(due: number): void;
  /** The queue handed out a job. */
  taken(): void;
}

export interface WatchdogOptions {
  /** Opens the queue's consumer anew. */
  reopen: () => void;
  /** Ends the process. */
  end: () => void;
  /** Milliseconds that only grow, as those of `compactor.begunAt`. */
  clock: () => number;
}

/**
 * Watches progress, not pulse: a queue's consumer can be alive and never take a job again after its Redis was gone
 * for long.
 */
export function watchdog(
  rt: { log: Pick<Runtime['log'], 'error' | 'fatal'> },
  compactor: Pick<FairCompactor, 'running' | 'begunAt'>,
  { reopen, end, clock }: WatchdogOptions,
): Watchdog {
  let calmAt = clock();
  let takenAt = clock();
  return {
    look(due) {
      const now = clock();
      if (due === 0) takenAt = now;
      if (due === 0 || compactor.running() > 0) calmAt = now;
      const stuckMs = now - Math.max(calmAt, compactor.begunAt());
      if (stuckMs > giveUpMs) {
        rt.log.fatal({ due, stuckMs }, 'threads are due and none is begun; ending');
        end();
        return;
      }
      if (now - takenAt > reopenMs) {
        rt.log.error({ due }, 'threads are due and the queue hands out none; opening it anew');
        takenAt = now;
        reopen();
      }
    },
    taken: () => {
      takenAt = clock();
    },
  };
}

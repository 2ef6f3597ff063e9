import type { FairCompactor, Runtime } from '@spillway/service';

/** Threads are due and the queue has delivered none for this long: its consumer is reopened. */
const reopenMs = 60_000;
/** No thread was begun in any way for this long: the process ends, so that its supervisor starts another. */
const giveUpMs = 180_000;

export interface Watchdog {
  /** Called by every run of the reconciler with the number of threads due. */
  look(due: number): void;
  /** Nobody knows what is due: Postgres or Redis does not answer. What begins nothing then is not stuck. */
  blind(): void;
  /** The queue delivered a job. */
  taken(): void;
}

export interface WatchdogOptions {
  /** Reopens the queue's consumer. */
  reopen: () => void;
  /** Ends the process. */
  end: () => void;
  /** Compactions that the queue's consumer runs at once: with as many it asks for no job. */
  slots: number;
  /** Monotonic milliseconds, as those of `compactor.begunAt`. */
  clock: () => number;
}

/**
 * Watches progress and not heartbeats: after Redis was gone for long, a queue's consumer can be connected and never
 * take a job again.
 */
export function createWatchdog(
  rt: { log: Pick<Runtime['log'], 'error' | 'fatal'> },
  compactor: Pick<FairCompactor, 'running' | 'begunAt'>,
  { reopen, end, slots, clock }: WatchdogOptions,
): Watchdog {
  let calmAt = clock();
  let takenAt = clock();
  return {
    look(due) {
      const now = clock();
      if (due === 0 || compactor.running() >= slots) takenAt = now;
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
    blind: () => {
      calmAt = takenAt = clock();
    },
    taken: () => {
      takenAt = clock();
    },
  };
}

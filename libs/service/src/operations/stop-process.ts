import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '../runtime.js';

/** Maximum time in which a process stops. Supervisors wait longer before they kill it. */
const stopWithinMs = 25_000;

/** How often a process that stops looks whether calls to the storage have returned. */
const lookMs = 100;

const neverReturned = 'calls to the folder of outputs never returned; the process ends without them';

/** A part of a process that is stopped. */
export interface StopStep {
  /** What it waits for, as the log names it when it takes too long. */
  waitsFor: string;
  stop: () => unknown;
}

/** The handler of signals that stop a process: stops its parts in this order and ends it, within 25 s in any case. */
export const stopOnSignal =
  (rt: Runtime & { drain: () => void }, steps: readonly StopStep[]) =>
  (signal: string): void => {
    rt.log.info({ signal }, 'stopping');
    rt.drain();
    let waitedFor = '';
    const giveUp = () => {
      const of = { waitedFor, storageCalls: rt.blobs.openCalls().all };
      rt.log.error(of, `the process did not stop within ${stopWithinMs / 1_000} s; it ends now`);
      endProcess(rt, 1);
    };
    setTimeout(giveUp, stopWithinMs).unref();
    void (async () => {
      for (const step of steps) {
        waitedFor = step.waitsFor;
        await step.stop();
      }
      waitedFor = 'calls to the storage of outputs';
      while (rt.blobs.openCalls().all > rt.blobs.openCalls().late) await sleep(lookMs);
      const { late: storageCalls } = rt.blobs.openCalls();
      if (storageCalls > 0) rt.log.error({ storageCalls }, neverReturned);
      endProcess(rt, 0);
    })();
  };

/**
 * Ends this process. An exit waits for the threads of libuv, which a call to a file system that hangs never leaves, so
 * a process with such calls kills itself, after the lines of its log are written.
 */
export function endProcess({ blobs }: Pick<Runtime, 'blobs'>, code: number): void {
  if (blobs.openCalls().all > 0) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.exit(code);
}

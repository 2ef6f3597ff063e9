import { atMost, late } from './at-most.js';
import { outageLog } from './outage-log.js';
import type { Runtime } from '../runtime.js';

export type StorageState = 'ok' | 'down';

/** A write that takes longer counts as failed: the append that needs it would wait as long. */
const maxWaitMs = 10_000;

const states = new WeakMap<Runtime, StorageState>();

/** What the last check found; `ok` before the first one ends. */
export const storageState = (rt: Runtime): StorageState => states.get(rt) ?? 'ok';

/**
 * Tries at the start and at intervals whether the storage of outputs takes writes: wrong keys or a full disk would show
 * by the first large tool result only, hours after the start. Returns a function that ends the checks.
 */
export function watchStorage(rt: Runtime): () => void {
  const meanwhile = '; appends with a tool result over the limit are 503, others go on';
  const outages = outageLog(rt.log, 'writing to the storage of outputs', { meanwhile });
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const show = (state: StorageState) => {
    states.set(rt, state);
    rt.metrics.set('spillway_storage_up', {}, state === 'ok' ? 1 : 0);
  };
  const check = async (): Promise<void> => {
    const write = rt.blobs.tryWrite();
    try {
      if ((await atMost(maxWaitMs, write)) === late) {
        show('down');
        outages.failed(new Error(`A write was not done after ${maxWaitMs / 1_000} s.`));
        // One at a time: each write to a file system that hangs keeps a thread.
        await write;
      }
      show('ok');
      outages.worked();
    } catch (error) {
      show('down');
      outages.failed(error);
    }
    if (!isOver) timer = setTimeout(() => void check(), rt.timing.storageCheckMs).unref();
  };
  void check();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

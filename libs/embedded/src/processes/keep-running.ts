import { setTimeout as sleep } from 'node:timers/promises';
import type { Leashed } from './leash.js';

const stopWithinMs = 30_000;
const maxPauseMs = 30_000;
/** A process that ran this long before it died starts over with the shortest delay. */
const steadyMs = 60_000;

export interface KeepRunning {
  name: string;
  logFile: string;
  /** Delay before the first restart; doubles with each further one. */
  pauseMs?: number;
  stopWithinMs?: number;
  say: (line: string) => void;
}

/** Restarts a process whenever it ends unexpectedly, and reports that. Returns a function that ends it for good. */
export function keepRunning(
  first: Leashed,
  again: () => Leashed | Promise<Leashed>,
  options: KeepRunning,
): () => Promise<void> {
  const { name, say, logFile, pauseMs = 1000 } = options;
  const stopping = new AbortController();
  let current = first;
  const watch = async (): Promise<void> => {
    let pause = pauseMs;
    for (let since = Date.now(); ; since = Date.now()) {
      const how = await current.exited;
      if (stopping.signal.aborted) return;
      if (Date.now() - since > steadyMs) pause = pauseMs;
      say(`${name} ended unexpectedly (${how}); starting it again in ${pause / 1000} s. Its log: ${logFile}`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      pause = Math.min(pause * 2, maxPauseMs);
      current = await again();
    }
  };
  const watching = watch();
  return async () => {
    stopping.abort();
    await current.stop(options.stopWithinMs ?? stopWithinMs);
    await watching;
    // It may have been restarted between the request and this check.
    await current.stop(options.stopWithinMs ?? stopWithinMs);
  };
}

import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** How late the event loop was in each of the last two seconds at least (99th percentile), in ms. */
  latestMs(): number;
  stop(): void;
}

/** Measures how late this process is, second by second. */
export function loopDelay(): LoopDelay {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let [before, latest] = [0, 0];
  const timer = setInterval(() => {
    before = latest;
    latest = loop.percentile(99) / 1e6;
    loop.reset();
  }, 1_000);
  timer.unref();
  return {
    // One stall, as after a start or when the machine paused the process, is no load.
    latestMs: () => Math.min(before, latest),
    stop: () => {
      clearInterval(timer);
      loop.disable();
    },
  };
}

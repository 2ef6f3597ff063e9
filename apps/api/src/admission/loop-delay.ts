import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** Minimum over the last two seconds of the event loop delay (99th percentile), in ms. */
  latestMs(): number;
  stop(): void;
}

/** Measures the event loop delay second by second. */
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
    // A single stall, as at start-up or when the machine paused the process, is not load.
    latestMs: () => Math.min(before, latest),
    stop: () => {
      clearInterval(timer);
      loop.disable();
    },
  };
}

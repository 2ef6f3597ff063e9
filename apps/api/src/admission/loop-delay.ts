import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LoopDelay {
  /** How late the event loop was in the last second (99th percentile), in ms. */
  latestMs(): number;
  stop(): void;
}

/** Measures how late this process is, second by second. */
export function loopDelay(): LoopDelay {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let latest = 0;
  const timer = setInterval(() => {
    latest = loop.percentile(99) / 1e6;
    loop.reset();
  }, 1_000);
  timer.unref();
  return {
    latestMs: () => latest,
    stop: () => {
      clearInterval(timer);
      loop.disable();
    },
  };
}

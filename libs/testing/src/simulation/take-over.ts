import type { Chance } from './chance.js';
import type { Clock } from './clock.js';

const real = {
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: performance.now.bind(performance),
  random: Math.random,
};

/**
 * Replaces time and randomness of this thread: lease renewals, the longest wait for a served context's record and the
 * jitter of back-offs come from the seed, however busy the machine is. Returns a function that restores them.
 */
export function takeOver(clock: Clock, chance: Chance): () => void {
  globalThis.setInterval = ((fire: () => void, ms: number) =>
    clock.every(ms, fire)) as unknown as typeof setInterval;
  globalThis.clearInterval = ((timer: never) => clock.cancel(timer)) as typeof clearInterval;
  globalThis.setTimeout = ((fire: () => void, ms = 0) =>
    clock.after(ms, fire)) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((timer: never) => clock.cancel(timer)) as typeof clearTimeout;
  performance.now = () => clock.now;
  Math.random = () => chance.random();
  return () => {
    globalThis.setInterval = real.setInterval;
    globalThis.clearInterval = real.clearInterval;
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
    performance.now = real.now;
    Math.random = real.random;
  };
}

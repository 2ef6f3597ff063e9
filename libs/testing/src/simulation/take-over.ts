import type { Chance } from './chance.js';
import type { Clock } from './clock.js';

const real = {
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance),
  random: Math.random,
};

/**
 * Replaces time and randomness of this process: lease renewals and the jitter of back-offs come from the seed. Returns
 * a function that restores them.
 */
export function takeOver(clock: Clock, chance: Chance): () => void {
  globalThis.setInterval = ((fire: () => void, ms: number) =>
    clock.every(ms, fire)) as unknown as typeof setInterval;
  globalThis.clearInterval = ((timer: never) => clock.cancel(timer)) as typeof clearInterval;
  performance.now = () => clock.now;
  Math.random = () => chance.random();
  return () => {
    globalThis.setInterval = real.setInterval;
    globalThis.clearInterval = real.clearInterval;
    performance.now = real.now;
    Math.random = real.random;
  };
}

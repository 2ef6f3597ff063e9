import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `look` gives something, and gives it; an error with `what` after `withinMs`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false | null>,
  withinMs = 30_000,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() - started > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(25);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what hangs, and measures nothing: in a whole run a machine may take many times as long as at a desk. */
const hangsAfterMs = process.env.CI ? 120_000 : 30_000;

/** Waits until `look` gives something, and gives it; an error with `what` after `withinMs`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false | null>,
  withinMs = hangsAfterMs,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() - started > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(25);
  }
}

import { setImmediate } from 'node:timers/promises';
import { slicesForCounting, type CountTokens } from '@spillway/engine';

/** Tokens of a large text, counted in this thread in slices, with other requests served in between. */
export async function countInSlices(text: string, count: CountTokens): Promise<number> {
  let total = 0;
  for (const slice of slicesForCounting(text)) {
    total += count(slice);
    await setImmediate();
  }
  return total;
}

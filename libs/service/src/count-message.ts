import { setImmediate } from 'node:timers/promises';
import {
  countableTexts,
  fixedTokens,
  slicesForCounting,
  type Body,
  type CountTokens,
} from '@spillway/engine';

/** Texts larger than this are counted in slices, with other requests served between them. */
const atOnce = 65_536;

/** Tokens of a message, exactly, without holding the event loop for a large one. */
export async function countMessage(body: Body, count: CountTokens): Promise<number> {
  let total = fixedTokens(body);
  for (const text of countableTexts(body)) {
    if (text.length <= atOnce) {
      total += count(text);
      continue;
    }
    for (const slice of slicesForCounting(text)) {
      total += count(slice);
      await setImmediate();
    }
  }
  return total;
}

import { setImmediate } from 'node:timers/promises';
import {
  countableTexts,
  fixedTokens,
  slicesForCounting,
  type Message,
  type MessageCounter,
} from '@spillway/engine';

/** Texts larger than this are counted in slices, with other requests served between them. */
const atOnce = 65_536;

/** Tokens of a message, exactly, without holding the event loop for a large one. */
export async function countMessage(message: Message, counter: MessageCounter): Promise<number> {
  let total = fixedTokens(message, counter.perMessage);
  for (const text of countableTexts(message)) {
    if (text.length <= atOnce) {
      total += counter.text(text);
      continue;
    }
    for (const slice of slicesForCounting(text)) {
      total += counter.text(slice);
      await setImmediate();
    }
  }
  return total;
}

import { countableTexts, fixedTokens, type Message } from '@spillway/engine';
import type { ThreadCounter } from '../policies/settings.js';
import { countInSlices } from '../outputs/text-work/count-in-slices.js';
import { inlineCharacters, runOnThread } from '../outputs/text-work/pool.js';

/** Counts the tokens of a message exactly, without blocking the event loop for a large one. */
export async function countMessageOffLoop(message: Message, counter: ThreadCounter): Promise<number> {
  let total = fixedTokens(message, counter.perMessage);
  for (const text of countableTexts(message)) {
    if (text.length <= inlineCharacters) {
      total += counter.text(text);
      continue;
    }
    // A busy or lost worker thread delays the count and never changes it.
    total += await runOnThread('countText', { text, counter: counter.choice }).catch(() =>
      countInSlices(text, counter.text),
    );
  }
  return total;
}

import { afterWholeCharacter } from './whole-characters.js';

/**
 * A large text in slices whose token counts add up to the count of the whole, so that a caller can do other work in
 * between. A slice ends before a line that starts with a letter or a digit, where no known encoding joins two tokens. A
 * text without such a line is cut at `target` characters, which may add one token per slice.
 */
export function* slicesForCounting(text: string, target = 32_768): Generator<string> {
  let from = 0;
  while (text.length - from > 2 * target) {
    const to = lineStart(text, from + target, from + 2 * target) ?? afterWholeCharacter(text, from + target);
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

function lineStart(text: string, from: number, to: number): number | undefined {
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    if (/[A-Za-z0-9]/.test(text[at + 1] ?? '')) return at + 1;
  }
  return undefined;
}

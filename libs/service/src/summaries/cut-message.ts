import { clipHead, clipTail, type CountTokens, type SeqMessage } from '@spillway/engine';

/** Tokens of the words that stand where characters were left out. */
const markTokens = 12;

/**
 * The message for a model whose call has room for these tokens: what it says, the inputs of its calls and its results
 * keep head and tail, and words in between say how many characters were left out. Short ones stay whole. Facts are read
 * from the whole message.
 */
export function cutMessage(message: SeqMessage, room: number, count: CountTokens): SeqMessage {
  const { speech, calls, results } = message;
  const texts = [speech, ...calls.map(({ input }) => input), ...results.map(({ text }) => text)];
  const share = shareOf(texts.map(count), room);
  const cut = (text: string): string => cutText(text, share, count);
  return {
    ...message,
    speech: cut(speech),
    calls: calls.map((call) => ({ ...call, input: cut(call.input) })),
    results: results.map((result) => ({ ...result, text: cut(result.text) })),
  };
}

/** The size from which on texts of these sizes must be cut, so that all of them fit the room. */
function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [i, size] of ascending.entries()) {
    const share = left / (ascending.length - i);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return Infinity;
}

function cutText(text: string, tokens: number, count: CountTokens): string {
  if (tokens === Infinity || count(text) <= tokens) return text;
  const kept = Math.max(0, tokens - markTokens);
  const head = clipHead(text, Math.ceil(kept * 0.6), count);
  const tail = clipTail(text, Math.floor(kept * 0.4), count);
  return `${head}[... ${text.length - head.length - tail.length} characters left out ...]${tail}`;
}

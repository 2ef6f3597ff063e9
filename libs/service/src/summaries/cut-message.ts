import { shortenText, type CountTokens, type SeqMessage } from '@spillway/engine';

/**
 * The message for a model whose call has room for these tokens: what it says, the inputs of its calls and its results
 * keep head and tail around a marker that says what is missing, as in a context. Short ones stay whole. Facts are read
 * from the whole message.
 */
export function cutMessage(message: SeqMessage, room: number, count: CountTokens): SeqMessage {
  const { speech, calls, results } = message;
  const texts = [speech, ...calls.map(({ input }) => input), ...results.map(({ text }) => text)];
  const share = shareOf(texts.map(count), room);
  const cut = (text: string): string => shortenText(text, share / count(text), count);
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

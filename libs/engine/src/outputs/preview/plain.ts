import { firstAndLast } from './ends.js';
import { oddLines } from './lines/odd-lines.js';
import { clipLine, gapTokens, renderLines } from './lines/render-lines.js';
import type { OutputText, Preview, PreviewRoom } from './preview.js';
import type { CountTokens } from '../../tokens/counter.js';

/** Odd lines that are shown at most, and lines around the oddest. */
const maxOdd = 12;
const around = 2;
/** The share of the preview that odd lines may take. */
const oddShare = 0.6;

/** First and last lines, and between them those unlike the rest, for text of no kind we know. Always gives a preview. */
export function previewPlain({ lines }: OutputText, room: PreviewRoom, count: CountTokens): Preview {
  const { bare, shown } = lines;
  const isEnd = (i: number): boolean => i < room.headLines || i >= bare.length - room.tailLines;
  const odd = oddLines(bare, (i) => !isEnd(i), lines.weights).slice(0, maxOdd);
  if (odd.length === 0) return firstAndLast(shown.join('\n'), room, count);
  const chosen = new Set<number>();
  let left = room.tokens;
  const take = (i: number, least: number): void => {
    if (i < 0 || i >= bare.length || chosen.has(i) || bare[i]!.trim() === '') return;
    // A line that stands alone is between two gaps.
    const cost =
      count(clipLine(shown[i]!)) + 1 + (chosen.has(i - 1) || chosen.has(i + 1) ? 0 : 2 * gapTokens);
    if (left - cost < least) return;
    left -= cost;
    chosen.add(i);
  };
  for (const { at } of odd) take(at, room.tokens * (1 - oddShare));
  for (let i = 0; i < Math.max(room.headLines, room.tailLines); i++) {
    if (i < room.tailLines) take(bare.length - 1 - i, 0);
    if (i < room.headLines) take(i, 0);
  }
  for (const { at } of odd.slice(0, 3))
    for (let step = 1; step <= around; step++) for (const i of [at + step, at - step]) take(i, 0);
  // Counts of lines do not add up to the count of the text: the last that were chosen give way.
  const order = [...chosen];
  let text = renderLines(shown, chosen);
  while (order.length > 0 && count(text) > room.tokens) {
    order.pop();
    text = renderLines(shown, new Set(order));
  }
  const from = Math.max(1, odd[0]!.at - 19);
  return { kind: 'text', text, readNext: { from, to: Math.min(bare.length, from + 60) } };
}

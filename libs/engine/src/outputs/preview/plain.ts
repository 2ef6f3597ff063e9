import { headTail } from './head-tail.js';
import { fitRoom, plural } from './fit-room.js';
import type { Preview, PreviewRoom } from './preview.js';
import type { CountTokens } from '../../tokens/counter.js';

/** First and last lines, for text of no kind we know and for whatever is broken. Always gives a preview. */
export function previewPlain(text: string, room: PreviewRoom, count: CountTokens): Preview {
  const made = (detail: number): string => {
    const tokens = Math.floor(room.tokens * (0.4 + 0.5 * detail));
    const { head, tail, omittedLines } = headTail(
      text,
      { head: room.headLines, tail: room.tailLines, tokens },
      count,
    );
    return [
      ...head,
      ...(omittedLines > 0 ? [`--- ${plural(omittedLines, 'line')} not shown ---`] : []),
      ...tail,
    ].join('\n');
  };
  return { kind: 'text', text: fitRoom(made, room.tokens, count), readNext: null };
}

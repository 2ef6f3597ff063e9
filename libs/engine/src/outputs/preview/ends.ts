import type { CountTokens } from '../../tokens/counter.js';
import { fitRoom, plural } from './fit-room.js';
import { headTail } from './head-tail.js';
import type { Preview, PreviewRoom } from './preview.js';

/** Characters looked at from each end. */
const looked = 32_768;

/**
 * First and last lines, from the ends of a text alone: for one that is too large, or whose preview failed. `lines` is
 * how many the whole text has.
 */
export function previewEnds(text: string, lines: number, room: PreviewRoom, count: CountTokens): Preview {
  const start = text.slice(0, looked).toWellFormed();
  const end = text.slice(Math.max(looked, text.length - looked)).toWellFormed();
  const made = (detail: number): string => {
    const tokens = Math.floor(room.tokens * 0.5 * (0.4 + 0.5 * detail));
    const { head } = headTail(start, { head: room.headLines, tail: 0, tokens }, count);
    const { tail } = headTail(end, { head: 0, tail: room.tailLines, tokens }, count);
    const hidden = lines - head.length - tail.length;
    return [...head, ...(hidden > 0 ? [`--- ${plural(hidden, 'line')} not shown ---`] : []), ...tail].join(
      '\n',
    );
  };
  return { kind: 'text', text: fitRoom(made, room.tokens, count), readNext: null };
}

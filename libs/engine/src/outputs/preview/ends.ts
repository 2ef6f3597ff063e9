import { clipHead } from '../../tokens/clip.js';
import type { CountTokens } from '../../tokens/counter.js';
import { notShown } from './counts.js';
import { fitRoom } from './fit-room.js';
import { linesOf } from './lines/read-lines.js';
import type { Preview, PreviewRoom } from './preview.js';

/** Characters looked at from each end of a text that is too large to be read as a whole. */
const lookedAt = 32_768;

/**
 * First and last lines, from the ends of a text alone: for one that is too large, or whose preview failed. `lines` is
 * how many the whole text has.
 */
export function previewEnds(text: string, lines: number, room: PreviewRoom, count: CountTokens): Preview {
  if (text.length <= 2 * lookedAt) return firstAndLast(text, room, count);
  const start = linesOf(text.slice(0, lookedAt).toWellFormed());
  const end = linesOf(text.slice(text.length - lookedAt).toWellFormed());
  const head = start.slice(0, room.headLines);
  const tail = end.slice(Math.max(0, end.length - room.tailLines));
  return preview(room, count, (tokens) => {
    // Each end has half, however long the lines of the other one are.
    const shown = [head, tail].map((some) => clippedTo(some, Math.floor(tokens / 2), count));
    return { head: shown[0]!, tail: shown[1]!, hidden: lines - head.length - tail.length };
  });
}

/** First and last lines of a text (promptdojo: the first 5 and the last 5). */
export function firstAndLast(text: string, room: PreviewRoom, count: CountTokens): Preview {
  const lines = linesOf(text);
  const head = lines.slice(0, room.headLines);
  const tail = lines.slice(Math.max(head.length, lines.length - room.tailLines));
  return preview(room, count, (tokens) => {
    const shown = clippedTo([...head, ...tail], tokens, count);
    const hidden = lines.length - head.length - tail.length;
    return { head: shown.slice(0, head.length), tail: shown.slice(head.length), hidden };
  });
}

interface Ends {
  head: readonly string[];
  tail: readonly string[];
  /** Lines between them. */
  hidden: number;
}

function preview(room: PreviewRoom, count: CountTokens, ends: (tokens: number) => Ends): Preview {
  const make = (detail: number): string => {
    const { head, tail, hidden } = ends(Math.floor(room.tokens * (0.4 + 0.5 * detail)));
    return [...head, ...notShown(hidden, 'line'), ...tail].join('\n');
  };
  return { kind: 'text', text: fitRoom(make, room.tokens, count), readNext: null };
}

/** Tokens of what a clipped line says of its rest. */
const restTokens = 8;
/** No encoding makes one token of more than this many characters, on average over lines. */
const maxCharacters = 64;

/** The lines as they are when they fit these tokens; else each is clipped to an even share. */
function clippedTo(lines: readonly string[], tokens: number, count: CountTokens): readonly string[] {
  if (count(lines.join('\n').slice(0, tokens * maxCharacters)) <= tokens) return lines;
  const share = Math.max(1, Math.floor(tokens / lines.length) - restTokens);
  return lines.map((line) => {
    const part = clipHead(line, share, count);
    const rest = line.length - part.length;
    return rest > 0 ? `${part} [... ${rest} more characters]` : part;
  });
}

import { clipHead, clipTail } from '../../tokens/clip.js';
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
  const start = wholeLines(linesOf(text.slice(0, lookedAt).toWellFormed()));
  if (!text.slice(lookedAt - 1, lookedAt + 1).includes('\n')) start.at(-1)!.known = 'start';
  const endsFrom = text.length - lookedAt;
  const end = wholeLines(linesOf(text.slice(endsFrom).toWellFormed()));
  if (text[endsFrom - 1] !== '\n') end[0]!.known = 'end';
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
  const lines = wholeLines(linesOf(text));
  const head = lines.slice(0, room.headLines);
  const tail = lines.slice(Math.max(head.length, lines.length - room.tailLines));
  return preview(room, count, (tokens) => {
    const shown = clippedTo([...head, ...tail], tokens, count);
    const hidden = lines.length - head.length - tail.length;
    return { head: shown.slice(0, head.length), tail: shown.slice(head.length), hidden };
  });
}

/** A line, and what of it was looked at. */
interface Line {
  text: string;
  known: 'whole' | 'start' | 'end';
}

const wholeLines = (lines: readonly string[]): Line[] => lines.map((text) => ({ text, known: 'whole' }));

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
function clippedTo(lines: readonly Line[], tokens: number, count: CountTokens): readonly string[] {
  const all = lines.map((line) => clipped(line, (text) => text));
  if (count(all.join('\n').slice(0, tokens * maxCharacters)) <= tokens) return all;
  const share = Math.max(1, Math.floor(tokens / lines.length) - restTokens);
  return lines.map((line) =>
    clipped(line, (text) => (line.known === 'end' ? clipTail : clipHead)(text, share, count)),
  );
}

/** How long a line is of which only one end was looked at is not known. */
function clipped({ text, known }: Line, clip: (text: string) => string): string {
  const part = clip(text);
  if (known === 'end') return `[more characters ...] ${part}`;
  if (known === 'start') return `${part} [... more characters]`;
  const rest = text.length - part.length;
  return rest > 0 ? `${part} [... ${rest} more characters]` : part;
}

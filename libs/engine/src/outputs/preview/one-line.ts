import { startOf } from '../../tokens/whole-characters.js';

/** A text on one line, cut at `max` characters with a mark. */
export function oneLine(text: string, max: number): string {
  // Blanks are joined, so that more characters than are shown may be needed for them.
  const start = text.slice(0, max * 4);
  const flat = start.replace(/\s+/g, ' ').trim();
  return flat.length <= max && start.length === text.length ? flat : `${startOf(flat, max)}…`;
}

/** A line with its blanks, cut at `max` characters with a mark. */
export const cutAt = (line: string, max: number): string =>
  line.length <= max ? line : `${startOf(line, max)}…`;

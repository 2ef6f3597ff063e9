import type { Excerpt } from '../outputs/read-lines.js';

/**
 * The lines and columns of the next part, as arguments of a tool. `next` is a query: `lines=5-9`, `line=5&columns=3-9`
 * or `lines=5-9&columns=3-`.
 */
export function readOnArguments({ next }: Excerpt): { lines?: string; columns?: string } | null {
  if (next === null) return null;
  const query = new URLSearchParams(next);
  const lines = query.get('lines') ?? query.get('line');
  const columns = query.get('columns');
  return { ...(lines === null ? {} : { lines }), ...(columns === null ? {} : { columns }) };
}

/** As `Lines 1-80 of 6000.` */
export const shownLines = ({ firstLine, lastLine }: Excerpt, total: number, what = 'Lines'): string =>
  lastLine === null ? `${what}: none of ${total}.` : `${what} ${firstLine}-${lastLine} of ${total}.`;

import { randomUUID } from 'node:crypto';
import { InexactNumber, isExactNumber } from './inexact-number.js';

const mayBeInexact = /\d{16}|\d[eE][-+]?\d{3}/;

/** No text of a file begins with it. */
const mark = `${randomUUID()}:`;

/**
 * Parses JSON. A number that JavaScript would write as another becomes an `InexactNumber`. Throws `SyntaxError` as
 * `JSON.parse` does. Node.js 20 gives a reviver no source text, so such numbers are marked in the text first.
 */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  if (!mayBeInexact.test(text)) return value;
  const marked = withMarks(text);
  return marked === null ? value : (JSON.parse(marked, unmarked) as unknown);
}

const unmarked = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(mark) ? new InexactNumber(value.slice(mark.length)) : value;

/** The text with each such number as a marked string, or null when it has none. Expects valid JSON. */
function withMarks(text: string): string | null {
  const number = /-?\d[\d.eE+-]*/y;
  let marked = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '"') i = endOfString(text, i);
    if (char !== '-' && !(char >= '0' && char <= '9')) continue;
    number.lastIndex = i;
    const [literal] = number.exec(text)!;
    if (!isExactNumber(literal)) {
      marked += `${text.slice(from, i)}"${mark}${literal}"`;
      from = i + literal.length;
    }
    i += literal.length - 1;
  }
  return from === 0 ? null : marked + text.slice(from);
}

/** The index of the quote that ends the string that begins at an index. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    // The backslashes before a quote escape each other in pairs.
    if (escapes % 2 === 0) return end;
  }
}

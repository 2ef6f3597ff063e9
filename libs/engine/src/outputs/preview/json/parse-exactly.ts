import { parseJson } from './parse-json.js';

/**
 * JSON as `parseJson` reads it, with a bigint for each whole number that JavaScript would round: an id that is shown
 * rounded is the id of something else. A reviver sees the source of numbers too, but takes ten times as long and more
 * memory than a thread has for a large text, so such numbers are parsed as strings with a mark.
 */
export function parseJsonExactly(text: string): ReturnType<typeof parseJson> {
  const marked = withMarks(text);
  const parsed = parseJson(marked);
  if (parsed && marked !== text) unmark(parsed.value);
  return parsed;
}

/** A code point that Unicode keeps out of texts. A text that names it all the same is parsed as it is. */
const mark = '\ufdd0';
const namesMark = /\ufdd0|\\ufdd0/i;

/** A whole number of so many digits that JavaScript may round it, as a value of JSON. Longer ones are no ids. */
const longInteger = /(?<=[[:,\s])-?[1-9]\d{15,99}(?=\s*[,}\]])/g;

function withMarks(text: string): string {
  let marked = '';
  let from = 0;
  let quote = -1;
  /** Where the last string before the number ends. */
  let end = 0;
  for (const { 0: digits, index } of text.matchAll(longInteger)) {
    if (String(Number(digits)) === digits) continue;
    if (quote < end) quote = nextQuote(text, end);
    while (quote < index) {
      end = endOfString(text, quote);
      quote = nextQuote(text, end);
    }
    if (end > index) continue;
    marked += `${text.slice(from, index)}"${mark}${digits}"`;
    from = index + digits.length;
  }
  return from === 0 || namesMark.test(text) ? text : marked + text.slice(from);
}

function nextQuote(text: string, from: number): number {
  const at = text.indexOf('"', from);
  return at < 0 ? Infinity : at;
}

/** The index behind the string that begins at an index. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    // The backslashes before a quote escape each other in pairs.
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Replaces the marked strings within a list or an object. The parser bounds the depth. */
function unmark(value: unknown): void {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = unmarked(value[i]);
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const key in object) object[key] = unmarked(object[key]);
  }
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? BigInt(value.slice(1)) : value;
  unmark(value);
  return value;
}

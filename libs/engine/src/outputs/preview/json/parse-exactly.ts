import { parseJson } from './parse-json.js';

/**
 * JSON as `parseJson` reads it, with a bigint for each whole number that JavaScript would round: an id that is shown
 * rounded is the id of something else. A reviver sees the source of numbers too, but takes ten times as long and more
 * memory than a thread has for a large text, so such numbers are parsed as strings with a mark.
 */
export function parseJsonExactly(text: string): ReturnType<typeof parseJson> {
  if (!hasManyDigits(text)) return parseJson(text);
  const marked = withMarks(text);
  const parsed = parseJson(marked);
  if (parsed && marked !== text) unmark(parsed.value);
  return parsed;
}

/** The JSON of such a value, or of a part of it, with its numbers as they were written. */
export function writeJsonExactly(value: unknown): string {
  let hasMarks = false;
  const marked = JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'bigint') return item;
    hasMarks = true;
    return mark + String(item);
  });
  return hasMarks ? marked.replaceAll(markedInteger, '$1') : marked;
}

/** A code point that Unicode keeps out of texts. A text that names it all the same is parsed as it is. */
const mark = '\ufdd0';
const namesMark = /\ufdd0|\\ufdd0/i;
const markedInteger = /"\ufdd0(-?\d+)"/g;

/** The fewest digits of a whole number that JavaScript may round. */
const manyDigits = 16;

/** Tells most texts, which have no such number, in a fraction of the time of a pattern: a run has a digit at each step. */
function hasManyDigits(text: string): boolean {
  for (let at = manyDigits - 1; at < text.length; at += manyDigits) {
    if (!isDigit(text, at)) continue;
    let from = at;
    while (isDigit(text, from - 1)) from--;
    let end = at + 1;
    while (end - from < manyDigits && isDigit(text, end)) end++;
    if (end - from >= manyDigits) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

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

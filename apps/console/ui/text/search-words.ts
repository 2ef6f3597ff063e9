/** The words and phrases of a query as the API parses it, lower-case and the longest first. */
export function searchWords(query: string): string[] {
  const found = [...query.matchAll(/"([^"]+)"|(\S+)/g)].map((match) =>
    match[1] === undefined ? withoutPunctuation(match[2] ?? '') : match[1].trim(),
  );
  const words = found.map((word) => word.toLowerCase()).filter((word) => word !== '');
  return [...new Set(words)].slice(0, 24).sort((a, b) => b.length - a.length);
}

/** Without the punctuation of a sentence around a word; punctuation by itself stays. */
const withoutPunctuation = (word: string): string =>
  word.replace(/^["'`([{<]+(?=.)/, '').replace(/(?<=.)["'`)\]}>.,;:?!]+$/, '');

export interface Piece {
  text: string;
  hit: boolean;
}

/** Maximum of marks in one text. */
const maxMarks = 200;

/** Splits a text at the search words. Linear in the text for each word. */
export function splitAtWords(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  // A letter whose lower-case form has another length would shift every mark after it.
  if (words.length === 0 || lower.length !== text.length) return [{ text, hit: false }];
  const pieces: Piece[] = [];
  const next = words.map((word) => ({ word, at: lower.indexOf(word) }));
  let end = 0;
  for (let marks = 0; marks < maxMarks; marks++) {
    for (const one of next) if (one.at >= 0 && one.at < end) one.at = lower.indexOf(one.word, end);
    const first = next.filter((one) => one.at >= 0).sort((a, b) => a.at - b.at)[0];
    if (!first) break;
    if (first.at > end) pieces.push({ text: text.slice(end, first.at), hit: false });
    end = first.at + first.word.length;
    pieces.push({ text: text.slice(first.at, end), hit: true });
  }
  if (end < text.length) pieces.push({ text: text.slice(end), hit: false });
  return pieces;
}

/** Characters before the first search word: less than a line of the list of hits. */
const maxBefore = 40;

/** A text from shortly before its first search word: the list shows three lines, and the word must be in them. */
export function aroundFirstWord(text: string, words: readonly string[]): string {
  const at = firstWord(text, words);
  if (at <= maxBefore) return text;
  const before = text.slice(at - maxBefore, at);
  return `… ${before.slice(before.indexOf(' ') + 1)}${text.slice(at)}`;
}

/** Index of the first word in a text; -1 without one. */
export function firstWord(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : -1;
}

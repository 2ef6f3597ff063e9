import { afterWholeCharacter } from './whole-characters.js';

/**
 * Byte-pair merging is quadratic in the length of a piece, and a piece can be as long as a run of one kind of
 * character: 100 KB of spaces cost 8 s. Longer runs are cut before they are merged; shorter ones, as in all ordinary
 * text, are counted exactly.
 */
const maxRun = 256;

/** Classes of ASCII characters, of which an encoding joins runs. A digit joins nothing: it ends a run. */
const DIGIT = 0;
const LETTER = 1;
const SPACE = 2;
const SIGN = 3;
/** Line ends and slashes: an encoding joins those that follow a sign with it, in any order. */
const JOINER = 4;
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z]/.test(char)) return LETTER;
  if (/[\r\n/]/.test(char)) return JOINER;
  if (/\s/.test(char)) return SPACE;
  return /\d/.test(char) ? DIGIT : SIGN;
});

/**
 * True when a run of one kind of character may be longer than the bound: false is certain. Linear, without a regular
 * expression. A character beyond ASCII may be of any kind, so it belongs to the run before it and to the one after it, and
 * so does a joiner.
 */
export function mayHoldLongRun(text: string): boolean {
  let kind = DIGIT;
  let length = 0;
  /** Characters beyond ASCII and joiners at the end of the run. */
  let unknown = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const next = code >= 128 ? JOINER : classes[code]!;
    if (next === JOINER) {
      length++;
      unknown++;
    } else {
      length = next === kind && next !== DIGIT ? length + 1 : unknown + 1;
      kind = next;
      unknown = 0;
    }
    if (length > maxRun) return true;
  }
  return false;
}

const run = /[\p{L}\p{M}]+|\s+|\p{N}+|[^\s\p{L}\p{N}]+[\r\n/]*/gu;

/** The text in pieces without longer runs. Joined, they are the text. */
export function* cutLongRuns(text: string): Generator<string> {
  let from = 0;
  for (const match of text.matchAll(run)) {
    if (match[0].length <= maxRun) continue;
    let at = match.index;
    const end = at + match[0].length;
    if (at > from) yield text.slice(from, at);
    while (at < end) {
      const to = afterWholeCharacter(text, Math.min(at + maxRun, end));
      yield text.slice(at, to);
      at = to;
    }
    from = end;
  }
  if (from < text.length) yield text.slice(from);
}

import { refuseBackup } from './backup-line.js';

/** As for the body of a request: what is posted has at most so many values, and no level below these. */
const maxValues = 250_000;
const maxDepth = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses JSON that takes far more memory once it is parsed than as text, before it is parsed. Throws `invalid_request`.
 */
export function refuseComplex(json: Buffer, what: string): void {
  let [values, depth] = [0, 0];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      depth++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > maxValues) refuseBackup(`${what} has more than ${maxValues} values.`);
    if (depth > maxDepth) refuseBackup(`${what} is nested deeper than ${maxDepth} levels.`);
  }
}

/** Where the text that begins here ends. */
function endOfText(json: Buffer, from: number): number {
  for (let at = from; ;) {
    at = json.indexOf(QUOTE, at + 1);
    if (at < 0) return json.length;
    let before = at;
    while (json[before - 1] === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
}

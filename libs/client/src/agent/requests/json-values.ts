/** What JSON the API takes in a body: apps/api/src/http/json/json-limits.ts. test/agents/large-json.test.ts compares both. */
const limits = {
  levels: 64,
  keysOfAnObject: 10_000,
  bytesOfAKey: 4_096,
  values: 250_000,
  valuesOfAnInput: 10_000,
};
/** The body, and the list of messages in it. */
const levelsAround = 2;
const maxLevels = limits.levels - levelsAround;
/** The message, its content and the part. */
const levelsAroundInput = 3;

/** What stands beside the values of up to 1,000 messages: one for each, the ids of some, the usage of a model call. */
const valuesBeside = 2_000;
/** How many values the messages of a request may have. */
export const maxValues = limits.values - valuesBeside;

const encoder = new TextEncoder();

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns how many values the JSON text of a message has, as the API counts them: objects, arrays, keys and the elements
 * of arrays. Infinity when no request may have it: it is nested too deeply, has an object of too many keys, a key that is
 * too long or too many values. Stops there; takes time in proportion to the length of the text. `around`: how many objects
 * and arrays of the message the text is in.
 */
export function jsonValuesOf(json: string, around = 0): number {
  /** The keys so far of each object that is open; of an array NaN, which stays what it is. */
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(json, at);
      if (json.charCodeAt(end + 1) === COLON) {
        values++;
        const keys = open.pop()! + 1;
        open.push(keys);
        if (keys > limits.keysOfAnObject || isLongKey(json, at, end)) return Infinity;
      }
      at = end;
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      values++;
      if (open.push(unit === OPEN_OBJECT ? 0 : NaN) > maxLevels - around) return Infinity;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) open.pop();
    else if (unit === COMMA && Number.isNaN(open.at(-1))) values++;
    if (values > maxValues) return Infinity;
  }
  return values;
}

/** Whether the API takes the input of a call, as JSON, for a text: a model chose it, so it is never refused. */
export const isTextAsInput = (json: string): boolean =>
  jsonValuesOf(json, levelsAroundInput) > limits.valuesOfAnInput;

/** Whether a message of so many values may have an input that the API takes for a text. */
export const mayHaveTextAsInput = (values: number): boolean => values > limits.valuesOfAnInput;

/** Where the string that starts at `from` ends. */
function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
}

/** A character has up to three bytes, and two that are one have four. */
const isLongKey = (json: string, from: number, end: number): boolean =>
  (end + 1 - from) * 3 > limits.bytesOfAKey &&
  encoder.encode(json.slice(from, end + 1)).length > limits.bytesOfAKey;

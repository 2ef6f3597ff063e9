const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string that starts at `from` ends; -1 when it does not end. */
export function endOfString(json: Buffer, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return -1;
}

/** + - . E e */
const inNumber = new Set([0x2b, 0x2d, 0x2e, 0x45, 0x65]);

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The index after the number that starts at `from`. */
export function endOfNumber(json: Buffer, from: number): number {
  let end = from + 1;
  while (isDigit(json[end]) || inNumber.has(json[end]!)) end++;
  return end;
}

/** The index after the object or array that starts at `from`; the length of the text when it does not end. */
export function endOfValue(json: Buffer, from: number): number {
  let levels = 0;
  for (let at = from; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (end < 0) return json.length;
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) levels++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --levels === 0) return at + 1;
  }
  return json.length;
}

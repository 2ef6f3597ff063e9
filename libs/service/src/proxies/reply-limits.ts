/** A reply is recorded as a message: as large as a posted one may be. */
export const maxReplyBytes = 8 * 1024 * 1024;
/** Objects, lists and their items, as in a posted body: parsed, they take many times the memory of their text. */
const maxValues = 250_000;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Throws for JSON of more values than a reply has. */
export function refuseManyValues(json: string): void {
  let values = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) isText = !isText;
    else if (isText) i += code === BACKSLASH ? 1 : 0;
    else if ((code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) && ++values > maxValues)
      throw new Error(`It has more than ${maxValues} values.`);
  }
}

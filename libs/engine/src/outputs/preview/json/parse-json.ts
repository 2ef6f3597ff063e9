/** Longer texts, in characters, are not parsed: reading them by lines and grep costs less. */
export const maxJsonLength = 20_000_000;
/** Deeper nesting is data that nobody reads. */
const maxDepth = 500;

/** Sees each value as it is parsed, as the second argument of JSON.parse does. */
export type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** A JSON object or list, or the documents of JSON lines as a list; undefined for what is neither. */
export function parseJson(
  text: string,
  reviver?: Reviver,
): { value: unknown; documents: number } | undefined {
  if (text.length > maxJsonLength || isDeep(text)) return undefined;
  // Without a byte order mark, which JSON.parse refuses.
  const trimmed = text.trim();
  const whole = parse(trimmed, reviver);
  if (whole !== undefined)
    return typeof whole === 'object' && whole !== null ? { value: whole, documents: 1 } : undefined;
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const documents: unknown[] = [];
  for (const line of lines) {
    const document = parse(line, reviver);
    if (document === undefined) return undefined;
    documents.push(document);
  }
  return { value: documents, documents: documents.length };
}

function parse(text: string, reviver: Reviver | undefined): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Bounds the nesting before anything recursive looks at it. Brackets within strings are none. */
export function isDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) isString = !isString;
    else if (isString) i += code === backslash ? 1 : 0;
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

const quote = 34;
const backslash = 92;

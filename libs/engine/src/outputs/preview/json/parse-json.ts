/** Longer texts are not parsed to be shown: reading them by lines and grep costs less. */
const longest = 20_000_000;
/** Deeper nesting is data that nobody reads. */
const deepest = 500;

/** A JSON value, or the documents of JSON lines as a list; undefined for what is neither. */
export function parseJson(text: string): { value: unknown; documents: number } | undefined {
  if (text.length > longest || isDeep(text)) return undefined;
  const whole = parse(text.trim());
  if (whole !== undefined)
    return typeof whole === 'object' && whole !== null ? { value: whole, documents: 1 } : undefined;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const documents: unknown[] = [];
  for (const line of lines) {
    const document = /^\s*[{[]/.test(line) ? parse(line) : undefined;
    if (document === undefined) return undefined;
    documents.push(document);
  }
  return { value: documents, documents: documents.length };
}

function parse(text: string): unknown {
  if (!/^[{[]/.test(text.trimStart())) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Bounds the nesting before anything recursive looks at it; brackets in strings only make it stricter. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 91 || code === 123) {
      if (++depth > deepest) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

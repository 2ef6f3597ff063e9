const maxLength = 200_000;
/** Each line of a deeper value would be mostly indents. */
const maxDepth = 100;

/** Strings, brackets, separators, and numbers and words. White space between them matches nothing. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/**
 * JSON with line breaks and indents; null for anything but an object or array. Only white space between values changes:
 * JavaScript would round long numbers, sort keys that are numbers and keep one of two equal keys, and a reader of a tool
 * call must see what was sent.
 */
export function formatJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text) || text.length > maxLength || !isJson(text)) return null;
  let shown = '';
  let depth = 0;
  let last = '';
  const newLine = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
    const opens = last === '[' || last === '{';
    if (token === ']' || token === '}') {
      depth--;
      shown += opens ? token : newLine() + token;
    } else {
      if (opens || last === ',') shown += newLine();
      shown += token === ':' ? ': ' : token;
      if (token === '[' || token === '{') depth++;
      if (depth > maxDepth) return null;
    }
    last = token;
  }
  return shown;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

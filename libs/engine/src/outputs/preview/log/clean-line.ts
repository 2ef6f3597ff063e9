/** Escape sequences of terminals: colours, cursor movement, titles. Bounded, so linear. */
const escapes =
  /\u001b(?:\[[0-9;:?<=>]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Longer lines are matched by their start alone: what a failure is called stands there. */
export const matchedLength = 600;

/** A line as a terminal would leave it: without escapes, and with what carriage returns wrote over it last. */
export function cleanLine(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(escapes, '') : line;
  if (!plain.includes('\r')) return plain.trimEnd();
  const states = plain.split('\r').filter((state) => state.trim() !== '');
  return (states.at(-1) ?? '').trimEnd();
}

/** The shape of a line: what it says apart from its numbers, so that repetition can be seen. */
export const shapeOf = (line: string): string =>
  line
    .slice(0, 120)
    .replace(/"[^"]{0,120}"?|'[^']{0,120}'?/g, '"')
    .replace(/[\w-]{0,60}[./\\:_][\w./\\:@+-]{1,120}/g, '#')
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{7,40}\b|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .trim();

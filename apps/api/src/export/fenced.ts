/** A text in a fence longer than any run of backticks in it, so that nothing in it can end the fence. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

/** A short text as code within a line: line breaks are no part of it, and its backticks do not end it. */
export function inlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').slice(0, 300);
  const ticks = '`'.repeat(longestRun(line) + 1);
  return `${ticks} ${line} ${ticks}`;
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);

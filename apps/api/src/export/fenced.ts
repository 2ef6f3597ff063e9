/** A text in a fence longer than any run of backticks in it, so that the text cannot end the fence. */
export function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

/** A short text as inline code, without line breaks. */
export function inlineCode(text: string): string {
  const line = text.replace(/\s+/g, ' ').slice(0, 300);
  const ticks = '`'.repeat(longestRun(line) + 1);
  return `${ticks} ${line} ${ticks}`;
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);

import { parseQuote } from '../compaction/quote.js';
import { onOneLine, type SummaryLine } from '../compaction/summary-line.js';

/**
 * Lines that somebody chose to preserve, without the quotes that say nothing but these instructions: summaries from
 * before instructions had a slot of their own quote them so, and would go on to quote one that holds no more.
 */
export function withoutInstructions(
  lines: readonly SummaryLine[],
  instructions: readonly string[],
): SummaryLine[] {
  if (instructions.length === 0) return [...lines];
  // The longest first, so that one that is part of another leaves nothing of it.
  const known = instructions.map(onOneLine).sort((a, b) => b.length - a.length);
  return lines.filter(({ text }) => {
    const quote = parseQuote(text);
    return quote === null || !isSaidBy(known, quote.words);
  });
}

/** Whether these texts say all of the words; of clipped ones all that was left. */
function isSaidBy(known: readonly string[], words: string): boolean {
  const clipped = /^(.*) \.\.\.$/s.exec(words)?.[1];
  const rest = known.reduce((left, text) => left.replaceAll(text, ' '), onOneLine(clipped ?? words)).trim();
  return (
    !/[\p{L}\p{N}]/u.test(rest) || (clipped !== undefined && known.some((text) => text.startsWith(rest)))
  );
}

import { linesOf, slicesForCounting, type CountTokens } from '@spillway/engine';

/** What other systems show of an offloaded output. */
export type Baseline = (text: string, count: CountTokens) => string;

const firstTokens = (text: string, tokens: number, count: CountTokens): string => {
  let shown = '';
  let left = tokens;
  for (const slice of slicesForCounting(text.slice(0, tokens * 16), 2_000)) {
    left -= count(slice);
    shown += slice;
    if (left <= 0) break;
  }
  return shown;
};

const errorLike = /error|fail|fatal|exception|panic|traceback|cannot|not found|undefined/i;

/** Lines that look like errors with two lines around each, up to 40 in all: what a quick script does. */
function errorLines(text: string): string {
  const lines = linesOf(text);
  const shown = new Set<number>();
  // The last ones: what a run ends with is more often why it ended.
  for (let i = lines.length - 1; i >= 0 && shown.size < 40; i--) {
    if (!errorLike.test(lines[i]!.slice(0, 600))) continue;
    for (let near = Math.max(0, i - 2); near <= Math.min(lines.length - 1, i + 2) && shown.size < 40; near++)
      shown.add(near);
  }
  return [...shown]
    .sort((a, b) => a - b)
    .map((i) => lines[i])
    .join('\n');
}

export const baselines: Record<string, Baseline> = {
  'first 10 lines (Dawn)': (text) => linesOf(text).slice(0, 10).join('\n'),
  'first 5 + last 5 lines (promptdojo)': (text) =>
    [...linesOf(text).slice(0, 5), ...linesOf(text).slice(-5)].join('\n'),
  'first 3,000 tokens (AgentScope)': (text, count) => firstTokens(text, 3_000, count),
  'error-like lines with context': (text) => errorLines(text),
};

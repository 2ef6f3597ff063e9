import type { SeqMessage } from '../messages/seq-message.js';
import { readsFile } from './effects.js';
import { oneLine, type Item } from './item.js';

const failure =
  /\b(error|exception|fatal|panic|failure)\b\s*[:!([]|\b(traceback|failed|not found|no such|denied|timed out|unable to|cannot|can't)\b|\b[A-Z]\w{2,40}(Error|Exception)\b|\b(ENOENT|EACCES|EPERM|ECONN[A-Z]+|ETIMEDOUT|FAIL(ED)?)\b|✗/i;
/** Source code speaks of errors without reporting one. */
const looksLikeCode =
  /[;{},]\s*$|^\s*(\d+[:→|]?\s+)?(\/\/|\/?\*|#include\b|import\b|export\b|const\b|let\b|return\b|throw\b|this\.)|=>/;
const noFailures = /\b(?:0 (?:errors?|failed|failures?)|no errors?)\b/i;

/**
 * Lines of tool results that report a failure, with their words, and what came of them: the same call that went well
 * later says when it was fixed.
 */
export function failuresOf(messages: readonly SeqMessage[]): Item[] {
  const calls = new Map(messages.flatMap(({ calls }) => calls.map((call) => [call.id, call] as const)));
  const passedAt = new Map<string, number>();
  const items: Item[] = [];
  for (const { seq, results } of [...messages].reverse()) {
    for (const { id, name, text, isError } of results) {
      const call = calls.get(id);
      const key = call ? `${call.name} ${call.input.slice(0, 300)}` : null;
      const lines = call && readsFile(call.name) ? [] : failingLines(text);
      if (lines.length === 0 && !isError) {
        if (key) passedAt.set(key, seq);
        continue;
      }
      const fixed = key ? passedAt.get(key) : undefined;
      const after = fixed === undefined ? '' : ` (passed at ${fixed})`;
      const prefix = name ?? call?.name ?? 'tool';
      for (const line of lines.reverse())
        items.push({
          seq,
          text: `${prefix}: ${oneLine(line, 180)}${after}`,
          weight: fixed === undefined ? 1.3 : 0.9,
        });
    }
  }
  return items.reverse();
}

const failingLines = (text: string): string[] =>
  text
    .slice(0, 40_000)
    .split('\n')
    .filter(
      (line) =>
        line.length < 2_000 && failure.test(line) && !noFailures.test(line) && !looksLikeCode.test(line),
    )
    .filter((line) => (line.match(/[\p{L}\p{N} ]/gu)?.length ?? 0) > line.length * 0.6)
    .slice(0, 2);

import { callsWithResults } from '../messages/calls-with-results.js';
import { showsData } from '../messages/reads-file.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { effectsIn } from './effects.js';
import { clipAtWord } from '../compaction/summary-line.js';
import type { Item } from './item.js';
import { weights } from './weights.js';

/** Words that report a failure wherever they stand. */
const strong =
  /\b(traceback|segmentation fault|panic(?:ked)?)\b|\b[A-Z]\w{2,40}(Error|Exception)\b|\b(error|fatal|exception|failure)\b\s*[:!([]|\b(ENOENT|EACCES|EPERM|ECONN[A-Z]+|ETIMEDOUT|FAIL(ED)?)\b|✗|×|command not found|no such file/i;
/** Words that do so unless the call went well: tables and listings have them too. */
const weak = /\b(failed|not found|no such|denied|timed out|unable to|cannot|can't|refused|rejected)\b/i;
/** Source code, and a line that a search printed from it, speak of errors without reporting one. */
const looksLikeCode =
  /[;{},(]\s*$|^\s*(\d+[:→|-]?\s+)?(\/\/|\/?\*|#include\b|import\b|export\b|const\b|let\b|return\b|throw\b|this\.|def\b|class\b|raise\b|except\b|if\b|@)|=>|^[\w./-]+\.\w{1,5}[:-]\d+[:-]/;
const noFailures = /\b(?:0 (?:errors?|failed|failures?)|no errors?)\b/i;
const wentWell = /\[?exit code:? 0\]?\s*$/i;

const { failure, fixedFailure, furtherLine } = weights.discovery;

/**
 * Lines of tool results that report a failure, with their words, and what came of them: the same call that went well
 * later says when it was fixed, and what was changed in between.
 */
export function failuresOf(messages: readonly SeqMessage[]): Item[] {
  const calls = new Map(callsWithResults(messages).map(({ call, result }) => [result, call]));
  const effects = effectsIn(messages);
  const passedAt = new Map<string, number>();
  const items: Item[] = [];
  for (const { seq, results } of [...messages].reverse()) {
    for (const result of results) {
      const { name, text, isError } = result;
      const call = calls.get(result);
      const key = call ? keyOf(call) : null;
      const isNews = isError || !call || !showsData(call.name) || beginsAsError.test(text);
      const lines = isNews ? failingLines(text, isError) : [];
      if (lines.length === 0 && !isError) {
        if (key) passedAt.set(key, seq);
        continue;
      }
      const fixed = key ? passedAt.get(key) : undefined;
      const prefix = name ?? call?.name ?? 'tool';
      lines.forEach((line, i) => {
        const after = fixed === undefined || i > 0 ? '' : ` (${fixOf(effects, seq, fixed)})`;
        items.push({
          seq,
          text: `${prefix}: ${clipAtWord(line, 180)}${after}`,
          weight: (fixed === undefined ? failure : fixedFailure) + i * furtherLine,
        });
      });
    }
  }
  return items.reverse();
}

/** How tools say that they failed where a format has no field for it. */
const beginsAsError = /^\s*(?:error\s*:|\[error\]|\{\s*"error"\s*:\s*["{])/i;

/** A call again: the same tool with the same arguments, whatever its output was piped through. */
const keyOf = ({ name, input }: { name: string; input: string }): string =>
  `${name} ${input
    .slice(0, 600)
    .replace(/\s*(?:2>&1\s*)?\|\s*(?:head|tail|grep|sed|cut)\b[^"|&;]*/g, '')
    .replace(/\s*2>&1/g, '')
    .slice(0, 300)}`;

/** When the call passed, and the last things that were changed before it did. */
function fixOf(effects: readonly Item[], failedAt: number, passedAt: number): string {
  const between = effects.filter(({ seq }) => seq > failedAt && seq < passedAt).slice(-2);
  const changes = between.map(({ seq, text }) => `${clipAtWord(text, 70)} [${seq}]`);
  return [`passed at ${passedAt}`, ...(changes.length === 0 ? [] : [`after ${changes.join(', ')}`])].join(
    ' ',
  );
}

function failingLines(text: string, isError: boolean): string[] {
  const isWell = !isError && wentWell.test(text.slice(-60));
  const tells = (line: string): boolean => strong.test(line) || (!isWell && weak.test(line));
  return text
    .slice(0, 40_000)
    .split('\n')
    .filter(
      (line) => line.length < 2_000 && tells(line) && !noFailures.test(line) && !looksLikeCode.test(line),
    )
    .filter((line) => (line.match(/[\p{L}\p{N} ]/gu)?.length ?? 0) > line.length * 0.6)
    .slice(0, 2);
}

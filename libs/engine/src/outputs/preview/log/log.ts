import { linesOf } from '../head-tail.js';
import type { MakePreview } from '../preview.js';
import { cleanLine } from './clean-line.js';
import { withoutTime } from './line-prefix.js';
import { scoreLines } from './score-lines.js';
import { selectLines } from './select-lines.js';
import { renderLines } from './render-lines.js';

/** A line that is worth so much states a cause by itself. */
const statesCause = 6;
const timesCut = '--- times at the start of lines not shown ---';

/**
 * The preview of a build, test or CI log: the lines that say why it failed, with what stands around them, from
 * anywhere in the file. A log without failure shows its start and its end. Times before lines are given up when
 * lines that state a cause do not fit beside them.
 */
export const previewLog: MakePreview = (text, room, count) => {
  const lines = linesOf(text).map(cleanLine);
  const scored = scoreLines(lines);
  const chosen = selectLines(lines, scored, room, count);
  const { scores, shapes } = scored;
  const isComplete = scores.every((score, i) => score < statesCause || chosen.has(i));
  if (isComplete || [...chosen].every((i) => withoutTime(lines[i]!) === lines[i]))
    return { kind: 'log', ...renderLines(lines, chosen, shapes) };

  const timeless = lines.map(withoutTime);
  const rest = { ...room, tokens: room.tokens - count(`${timesCut}\n`) };
  const rendered = renderLines(timeless, selectLines(timeless, scored, rest, count), shapes);
  return { kind: 'log', ...rendered, text: `${timesCut}\n${rendered.text}` };
};

export { logOutline } from './log-outline.js';
export { looksLikeLog, tellsOfFailure } from './looks-like-log.js';
export { failureWeight } from './failure-rules.js';

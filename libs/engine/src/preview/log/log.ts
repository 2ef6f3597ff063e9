import { linesOf } from '../head-tail.js';
import type { MakePreview } from '../preview.js';
import { cleanLine } from './clean-line.js';
import { scoreLines } from './score-lines.js';
import { selectLines } from './select-lines.js';
import { renderLines } from './render-lines.js';

/**
 * The preview of a build, test or CI log: the lines that say why it failed, with what stands around them, from
 * anywhere in the file. A log without failure shows its start and its end.
 */
export const previewLog: MakePreview = (text, room, count) => {
  const lines = linesOf(text).map(cleanLine);
  const chosen = selectLines(lines, scoreLines(lines), room, count);
  return { kind: 'log', ...renderLines(lines, chosen) };
};

export { logOutline } from './log-outline.js';
export { looksLikeLog, tellsOfFailure } from './looks-like-log.js';
export { failureWeight } from './failure-rules.js';

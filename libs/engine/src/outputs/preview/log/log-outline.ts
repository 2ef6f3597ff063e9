import { linesOf } from '../head-tail.js';
import { cleanLine } from './clean-line.js';
import { clipLine } from './clip-line.js';
import { scoreLines } from './score-lines.js';

const most = 200;
/** What a line must be worth to be an entry of its own. */
const least = 5;

/** Lines of a log that say that something failed, in file order. */
export function logOutline(text: string): { line: number; depth: number; label: string }[] {
  const lines = linesOf(text).map(cleanLine);
  const { weights, scores } = scoreLines(lines);
  return lines
    .map((_, i) => i)
    .filter((i) => weights[i]! >= least)
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((i) => ({ line: i + 1, depth: 0, label: clipLine(lines[i]!.trim()) }));
}

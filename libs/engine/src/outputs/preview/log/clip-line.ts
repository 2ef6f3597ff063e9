import { matchedLength } from './clean-line.js';
import { failureAt } from './failure-rules.js';

/** Characters of a line that are shown; the rest is a read away. */
const longest = 260;
/** Of a line whose failure stands further on: characters from its start, and from around the failure. */
const start = 170;
const around = 130;
const before = 30;

/** A line as it is shown: a long one is cut to its start and to where it speaks of a failure, and says how much is cut. */
export function clipLine(line: string): string {
  if (line.length <= longest) return line;
  const focus = failureFocus(line);
  if (focus < longest - before)
    return `${line.slice(0, longest - 20).toWellFormed()}${cut(line.length - longest + 20)}`;
  const from = Math.max(start, focus - before);
  const middle = line.slice(from, from + around).toWellFormed();
  const rest = line.length - from - middle.length;
  return `${line.slice(0, start).toWellFormed()}${from > start ? cut(from - start) : ''} ${middle}${rest > 0 ? cut(rest) : ''}`;
}

const cut = (characters: number): string => ` [... ${characters} more characters]`;

/** Where a long line speaks of a failure, as far as its start and its end are looked at. */
function failureFocus(line: string): number {
  const inHead = failureAt(line.slice(0, matchedLength));
  const from = Math.max(matchedLength, line.length - matchedLength);
  const inTail = failureAt(line.slice(from));
  if (inTail.index >= 0 && inTail.weight > inHead.weight) return from + inTail.index;
  return Math.max(0, inHead.index);
}

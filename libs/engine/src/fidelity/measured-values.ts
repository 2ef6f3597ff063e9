import type { SeqMessage } from '../messages/seq-message.js';
import { parseJsonExactly } from '../outputs/preview/json/parse-exactly.js';

/**
 * Identifiers and long numbers. These patterns are not those that the ledger is made with: a measure that finds values by
 * the same rules could not see what the rules miss.
 */
const patterns = [
  // Values that are lost are stored: Postgres takes no control character and no half of a surrogate pair.
  /https?:\/\/[^\s"'`<>()[\]{}\\,\p{Cc}\p{Cs}]{4,200}/gu,
  /(?<![\w.@~/-])(?:~|\.{1,2})?\/?(?:[\w.@-]{1,80}\/){1,14}[\w.@-]{0,80}\.[A-Za-z]\w{0,7}(?!\w)/g,
  /(?<![\w/.-])(?=\w*\d)(?=\w*[A-Za-z])\w{4,80}(?![\w/])/g,
  /(?<![\w.,/-])\d{4,15}(?![\w,/-]|\.\d)/g,
] as const;
/** Parts of dates and times, ordinals and units are in every thread and name nothing. */
const noise =
  /^(\d{1,2}T\d{2}|\d{4}T\d+|\d+(?:st|nd|rd|th|px|ms|min|kb|mb|gb|am|pm)|utf8|sha256|base64|v\d+|(?:19|20)\d\d)$/i;

/** The values of a text: addresses, paths, names and codes with a digit, long numbers. */
export function measuredValuesIn(text: string): Set<string> {
  const found = new Set<string>();
  let rest = text;
  for (const pattern of patterns)
    rest = rest.replace(pattern, (written) => {
      const value = written.replace(/[.,;:]+$/, '');
      if (noise.test(value)) return written;
      found.add(value);
      return ' ';
    });
  return found;
}

/** What a message says: its text, and the values of its calls' arguments. */
export const saidIn = ({ text, calls }: SeqMessage): string =>
  [text, ...calls.flatMap(({ input }) => stringsOf(parseJsonExactly(input)?.value ?? input))]
    .filter((part) => part !== '')
    .join('\n');

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

import type { SeqMessage } from '../messages/seq-message.js';

/**
 * Identifiers that a later step may need letter by letter, in the order in which they are looked for: URLs, e-mail
 * addresses and packages with their version, paths, and names or codes with a digit. A path may pass through folders
 * such as `[id]` and `(shop)`; a code such as `REL-33` and a name such as `gpt-4o-mini` are whole; `-f1-2` is an option
 * of a command. An address ends before a control character and before half of a surrogate pair: Postgres stores
 * neither, and values are stored with their summary.
 */
export const identifierPatterns = {
  url: /https?:\/\/[^\s"'<>)\]}\\\p{Cc}\p{Cs}]{4,200}/gu,
  email: /(?:@[\w.-]{1,40}\/|(?<![\w.+-]))[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}(?![\w-])/g,
  path: /(?<![\w.@~/\])-])(?:[A-Za-z]:)?\/?(?:(?:[\w.@~-]{1,80}|\[[\w.-]{1,40}\]|\([\w.-]{1,40}\))\/){1,14}[\w.@-]{1,80}\.[A-Za-z]\w{0,7}\b/g,
  name: /(?<!(?:^|\s)--?)\b(?:[A-Z][A-Z0-9]{0,9}(?:-\d{1,10}){1,3}\b(?![-\w])|(?:[A-Za-z]{1,20}-){0,3}(?=\w{0,60}\d)(?=\w{0,60}[A-Za-z])[A-Za-z0-9]{1,40}(?:[_-][A-Za-z0-9]{1,40}){0,6}\b)/g,
} as const;

/** A text that each match of a pattern contains: looking for it first is many times as fast. Names have none. */
const marks = new Map<RegExp, string>([
  [identifierPatterns.url, '://'],
  [identifierPatterns.email, '@'],
  [identifierPatterns.path, '/'],
]);

/** Whether a pattern may match in a text; false is certain. */
export const mayMatch = (text: string, pattern: RegExp): boolean => text.includes(marks.get(pattern) ?? '');

/** Ordinals, amounts with a unit, parts of dates and times, versions of standards: they name nothing. */
const noise =
  /^(\d+(st|nd|rd|th|px|r?em|ms|s|min|h|kb|mb|gb|k|x|am|pm)|\d{1,8}t\d{2,6}z?|\d{1,9}z|0[xob]?\d{3}|es\d{1,4}|utf-?\d{1,2}|iso-\d{4,5}|covid-19|aes-\d{3}|rfc-\d{1,4}|[a-z]\d?|h\d|sha-?(1|256|512)|base64|md5|v\d+)$/i;

/** Text of a message and of each call's arguments is read up to these bounds: an output's ids are one grep away. */
const readChars = { text: 12_000, input: 4_000 } as const;

export const textsToRead = (message: SeqMessage): string[] => [
  message.text.slice(0, readChars.text),
  ...message.calls.map((call) => call.input.slice(0, readChars.input)),
];

/** Values that the agent passed to a tool or the user typed matter more than those that a tool printed. */
export const usesIn = (message: SeqMessage): number => (message.role === 'tool' ? 1 : 3);

/** An identifier at the end of a sentence takes its full stop with it. */
export const withoutStop = (value: string): string => value.replace(/[.,;:]+$/, '');

export const isIdentifier = (value: string): boolean =>
  value.length >= 4 && !noise.test(value) && !value.startsWith('out_');

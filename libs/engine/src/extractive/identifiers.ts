import type { CountTokens } from '../tokens/counter.js';
import type { SeqMessage } from '../messages/seq-message.js';

/** An identifier with the last seq that used it and how often it was used. */
export interface Identifier {
  value: string;
  seq: number;
  uses: number;
}

/** What a later step may need letter by letter: URLs, e-mail addresses, paths, and names or codes with a digit. */
export const identifierPatterns = [
  /https?:\/\/[^\s"'<>)\]}\\]{4,200}/g,
  /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}(?![\w-])/g,
  /(?<![\w.@~/-])(?:[A-Za-z]:)?\/?(?:[\w.@~-]{1,80}\/){1,14}[\w.@-]{1,80}\.[A-Za-z]\w{0,7}\b/g,
  /\b(?=\w{0,60}\d)(?=\w{0,60}[A-Za-z])[A-Za-z0-9]{1,40}(?:[_-][A-Za-z0-9]{1,40}){0,6}\b/g,
] as const;
const noise = /^(\d+(st|nd|rd|th|px|ms|s|kb|mb|gb|k|x|am|pm)|utf-?8|[a-z]\d?|h\d|sha256|v\d+)$/i;

/** Text of a message and of each call's arguments is read up to these bounds: an output's ids are one grep away. */
const readChars = { text: 12_000, input: 4_000 } as const;

/** Identifiers of the messages, by value. */
export function identifiersOf(messages: readonly SeqMessage[]): Map<string, Identifier> {
  const found = new Map<string, Identifier>();
  for (const message of messages) {
    const uses = usesIn(message);
    for (const value of new Set(textsToRead(message).flatMap(valuesIn))) {
      const known = found.get(value);
      found.set(value, { value, seq: message.seq, uses: (known?.uses ?? 0) + uses });
    }
  }
  return found;
}

export const textsToRead = (message: SeqMessage): string[] => [
  message.text.slice(0, readChars.text),
  ...message.calls.map((call) => call.input.slice(0, readChars.input)),
];

/** What the agent passed to a tool or the user typed matters more than what a tool happened to print. */
export const usesIn = (message: SeqMessage): number => (message.role === 'tool' ? 1 : 3);

function valuesIn(text: string): string[] {
  return identifierPatterns
    .flatMap((pattern) => text.match(pattern) ?? [])
    .map(withoutStop)
    .filter(isIdentifier);
}

/** An identifier at the end of a sentence takes its full stop with it. */
export const withoutStop = (value: string): string => value.replace(/[.,;:]+$/, '');

export const isIdentifier = (value: string): boolean =>
  value.length >= 4 && !noise.test(value) && !value.startsWith('out_');

const head = 'Identifiers in use (last seq): ';
const entry = /^(.+) \((\d+)\)$/;

/** One line that names them; `parseIdentifiers` reads it back when the summary is folded into the next. */
export const renderIdentifiers = (ids: readonly Identifier[]): string =>
  ids.length === 0 ? '' : head + ids.map((id) => `${id.value} (${id.seq})`).join('; ');

export function parseIdentifiers(field: string): { rest: string; ids: Identifier[] } {
  const lines = field.split('\n');
  const ids = lines
    .filter((line) => line.startsWith(head))
    .flatMap((line) => line.slice(head.length).split('; '))
    .flatMap((text) => {
      const match = entry.exec(text);
      return match ? [{ value: match[1]!, seq: Number(match[2]), uses: 2 }] : [];
    });
  return { rest: lines.filter((line) => !line.startsWith(head)).join('\n'), ids };
}

/** A field without the line that names identifiers. */
export const withoutIdentifiers = (field: string): string => parseIdentifiers(field).rest;

/** Those of an earlier summary with those found since: later uses win, all uses count. */
export function mergeIdentifiers(
  prior: readonly Identifier[],
  found: ReadonlyMap<string, Identifier>,
): Identifier[] {
  const all = new Map(prior.map((id) => [id.value, id]));
  for (const id of found.values()) {
    all.set(id.value, { ...id, uses: id.uses + (all.get(id.value)?.uses ?? 0) });
  }
  return [...all.values()];
}

/** The most used and newest that fit `room` tokens, in the order of their seqs. */
export function newestIdentifiers(
  ids: readonly Identifier[],
  room: number,
  count: CountTokens,
): Identifier[] {
  const newest = ids.reduce((last, id) => Math.max(last, id.seq), 1);
  const score = (id: Identifier) => Math.log2(1 + id.uses) + (3 * id.seq) / newest;
  const kept: Identifier[] = [];
  let left = room;
  for (const id of [...ids].sort((a, b) => score(b) - score(a) || (a.value < b.value ? -1 : 1))) {
    const tokens = count(`${id.value} (${id.seq}); `);
    if (tokens > left) break;
    left -= tokens;
    kept.push(id);
  }
  return kept.sort((a, b) => a.seq - b.seq);
}

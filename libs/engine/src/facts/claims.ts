import { withoutClippedWords } from '../compaction/summary-line.js';
import { citationPatterns, citationsIn } from './statements.js';
import type { Fact } from './fact.js';
import { splitFacts } from './facts-in.js';

/** A value in a statement that some message of the thread must hold, or else the statement made it up. */
export interface Claim {
  /** As the statement writes it. */
  text: string;
  kind: 'identifier' | 'number' | 'name';
  /** As `keysIn` has it: a number without its currency, separators and trailing zeros, else the longest word. */
  key: string;
}

/** Numbers of one digit are in every text, and in most summaries as a count. */
const minDigits = 2;
const numberIn = /(?<![\p{L}\p{N}_])([$€£]?)[vV]?(\d+(?:[.,:]\d+)*)%?/gu;
const dateIn = /(?<![\p{L}\p{N}_])\d{4}-\d\d-\d\d/gu;
const wordIn = /[\p{L}\p{N}_]+/gu;
/** Letters of other scripts than Latin. Many of them put no space before an identifier or a number, or after it. */
const otherLetters = /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu;
/** A capitalized word after a lowercase one: in most languages the name of somebody or something. */
const nameIn = /(?<=(?<![\p{L}\p{N}_])\p{Ll}[\p{L}'’-]*[,;:]? )\p{Lu}[\p{L}]{2,40}/gu;
const afterLowercase = /(?<=(?<![\p{L}\p{N}_])\p{Ll}[\p{L}'’-]*[,;:]? )\p{L}+/gu;
/** Above this share of capitalized words a language capitalizes its nouns, and capitals name nothing. */
const maxNameShare = 0.2;

/** Tells whether capitalized words inside the sentences of a text are names. */
export function capitalsAreNames(text: string): boolean {
  const all = text.match(afterLowercase)?.length ?? 0;
  return (text.match(nameIn)?.length ?? 0) <= Math.max(2, all * maxNameShare);
}

/**
 * The values of a statement that can be checked letter by letter: identifiers, numbers of two digits or more, and
 * names, in the order of the text. Its citations and the number of a list item are not claims.
 */
export function claimsIn(statement: string, { toSeq, names }: { toSeq: number; names: boolean }): Claim[] {
  const plain = withoutCitations(statement, toSeq).replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '');
  // A quote that was clipped may end in half a word.
  const whole = withoutClippedWords(plain);
  const { facts, rest } = splitFacts(whole);
  const claims: Claim[] = facts
    .filter((fact) => fact.kind !== 'output')
    .map(({ text }: Fact) => ({ text, kind: 'identifier', key: tellingWord(text) }));
  const withoutDates = rest.replace(dateIn, (date) => {
    claims.push({ text: date, kind: 'number', key: date });
    return ' ';
  });
  for (const [text, , digits = ''] of apart(withoutDates).matchAll(numberIn)) {
    const key = numberKey(digits);
    if (key.replace(/\D/g, '').length >= minDigits) claims.push({ text, kind: 'number', key });
  }
  if (names)
    for (const [text] of rest.matchAll(nameIn)) claims.push({ text, kind: 'name', key: text.toLowerCase() });
  const unique = [...new Map(claims.map((claim) => [claim.text, claim])).values()];
  return unique.sort((a, b) => plain.indexOf(a.text) - plain.indexOf(b.text));
}

/** `4217.5` for `4,217.50`: the same amount is written in several ways. */
function numberKey(digits: string): string {
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits;
  return /^\d+\.\d+$/.test(plain) ? plain.replace(/\.?0+$/, '') : plain;
}

/** The numbers and lowercase words of a text, as `Claim.key` has them. Linear in the text. */
export function keysIn(text: string): Set<string> {
  const separate = apart(text);
  const keys = new Set<string>(separate.match(dateIn) ?? []);
  for (const [, , digits = ''] of separate.replace(/(\d)T(\d)/g, '$1 $2').matchAll(numberIn)) {
    keys.add(numberKey(digits));
    // A list such as `12,14` and a time such as `10:30:05` also hold their parts.
    for (const part of digits.split(/[,:]/)) keys.add(numberKey(part));
    keys.add(digits.split(':').slice(0, 2).join(':'));
  }
  for (const [word] of text.matchAll(wordIn)) keys.add(word.toLowerCase());
  if (separate !== text) for (const [word] of separate.matchAll(wordIn)) keys.add(word.toLowerCase());
  return keys;
}

/** The text with a space for letters of other scripts: `はsrc/app.tsの42行目` holds `src/app.ts` and `42`. */
const apart = (text: string): string => text.replace(otherLetters, ' ');

/** The word of an identifier that tells it from others: of a code such as `REL-33` its number, else the longest. */
const tellingWord = (text: string): string => {
  const words = text.match(wordIn) ?? [text];
  const longest = words.reduce((most, word) => (word.length > most.length ? word : most), '');
  return (code.test(text) ? words.at(-1)! : longest).toLowerCase();
};
const code = /^[A-Z][A-Z0-9]*(?:-\d+)+$/;

/** A citation of a message that the range does not have stays: it is a claim that no message holds. */
function withoutCitations(statement: string, toSeq: number): string {
  let rest = statement;
  for (const pattern of citationPatterns(statement))
    rest = rest.replace(pattern, (written) =>
      citationsIn(written, toSeq, pattern).length > 0 ? ' ' : written,
    );
  return rest;
}

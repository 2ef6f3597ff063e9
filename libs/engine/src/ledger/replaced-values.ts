import type { SeqMessage } from '../messages/seq-message.js';
import { parseJson } from '../outputs/preview/json/parse-json.js';
import { withoutStop } from './identifiers.js';
import { valuesOfText } from './labelled-values.js';

/** One value that took the place of another. */
export interface Replacement {
  before: string;
  after: string;
}

/** Characters read of a text, and of a call's arguments that are parsed. */
const readChars = 48_000;
const maxJson = 200_000;

/**
 * The ways in which people and agents say that a value is no longer the one. `from ... to ...` may be a range and an
 * arrow a step, so both take a verb of change in the same sentence.
 */
const sayings: readonly Saying[] = [
  { pattern: /\bfrom (\S{2,122}) to (\S{2,122})/gi, newer: 'second', ofChange: true },
  {
    mark: / (?:->|→|=>) /,
    pattern: /(?<!\S)(\S{2,122}) (?:->|→|=>) (\S{2,122})/gi,
    newer: 'second',
    ofChange: true,
  },
  { pattern: /\breplac\w* (\S{2,122}) (?:with|by) (\S{2,122})/gi, newer: 'second' },
  {
    mark: / (?:is now|became|has become|was replaced by) /i,
    pattern: /(?<!\S)(\S{2,122}) (?:is now|became|has become|was replaced by) (\S{2,122})/gi,
    newer: 'second',
  },
  {
    mark: / (?:instead of|rather than|in place of) /i,
    pattern: /(?<!\S)(\S{2,122}) (?:instead of|rather than|in place of) (\S{2,122})/gi,
    newer: 'first',
  },
  {
    mark: / \((?:was|formerly|previously)/i,
    pattern: /(?<!\S)(\S{2,122}) \((?:was|formerly|previously):? (\S{2,122})\)/gi,
    newer: 'first',
  },
];

interface Saying {
  /** What stands in each match: many times as fast to look for as two words of any kind. */
  mark?: RegExp;
  pattern: RegExp;
  newer: 'first' | 'second';
  ofChange?: true;
}

const verbOfChange =
  /\b(?:chang|mov|renam|updat|switch|bump|upgrad|downgrad|migrat|rais|lower|increas|decreas|shift|rebook|correct|replac)\w*\b[^.!?\n]{0,80}$/i;

/**
 * The values that a message says to be replaced, in its order. People and the agent say so in words; an edit does by
 * what it takes out and what it puts in, when that is one value each. What a tool prints replaces nothing: a diff or a
 * log may be about anything.
 */
export function replacementsIn({ role, text, calls, results }: SeqMessage): Replacement[] {
  const words = results.length > 0 || role === 'tool' ? [] : replacedInWords(text.slice(0, readChars));
  const edits = calls.flatMap(({ input }) =>
    input.length <= maxJson && input.includes('"old') ? replacedByEdits(parseJson(input)?.value) : [],
  );
  return [...words, ...edits].filter(({ before, after }) => before !== after);
}

const replacedInWords = (text: string): Replacement[] =>
  sayings.flatMap(({ pattern, mark, newer, ofChange }) =>
    mark?.test(text) === false
      ? []
      : [...text.matchAll(pattern)].flatMap((pair) => {
          if (ofChange && !verbOfChange.test(text.slice(Math.max(0, pair.index - 100), pair.index)))
            return [];
          if (isOnlyThought(text, pair.index, pair[0].length)) return [];
          const [first, second] = [onlyValueOf(pair[1]!), onlyValueOf(pair[2]!)];
          if (!first || !second) return [];
          return newer === 'second' ? { before: first, after: second } : { before: second, after: first };
        }),
  );

/** Characters before and behind a match in which its sentence is looked for. */
const maxSentence = 300;
/** An end of a sentence, or a word after which a negation before it no longer counts. */
const clauseStart = /[.!?;]["')\]]*\s|\n|(?<=\s)(?:but|so|therefore|then|instead,)\s/gi;
const sentenceEnd = /([.!?])["'`)\]]*(?:\s|$)|\n/;
/** Words for a change that is forbidden, was not made, or is only possible. */
const unreal =
  /\b(?:not|never|cannot|(?:do|does|did|is|are|was|wo|ca|should|could|would|must|has|have|had|need)n['’]?t|without|avoid|refrain|unless|whether|if|should|could|would|can|might)\b/i;

/** Whether the sentence asks for a replacement, forbids it or says that it might be, so that the older value still holds. */
function isOnlyThought(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - maxSentence), at);
  const start = [...before.matchAll(clauseStart)].at(-1);
  if (unreal.test(before.slice(start ? start.index + start[0].length : 0))) return true;
  // The last word of a match may end the sentence.
  return sentenceEnd.exec(text.slice(at, at + length + maxSentence))?.[1] === '?';
}

/** `old_string` beside `new_string`, `oldText` beside `newText`, `old` beside `new`. */
function replacedByEdits(json: unknown): Replacement[] {
  if (Array.isArray(json)) return json.flatMap(replacedByEdits);
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, taken]) => {
    const put = (json as Record<string, unknown>)[key.replace(/^old/, 'new')];
    if (!key.startsWith('old') || typeof taken !== 'string' || typeof put !== 'string')
      return replacedByEdits(taken);
    const [before, after] = [valuesIn(taken), valuesIn(put)];
    const [gone, come] = [
      before.filter((one) => !after.includes(one)),
      after.filter((one) => !before.includes(one)),
    ];
    return gone.length === 1 && come.length === 1 ? [{ before: gone[0]!, after: come[0]! }] : [];
  });
}

const valuesIn = (text: string): string[] =>
  valuesOfText(text.slice(0, readChars), true).map((found) => found.value);

/** The value that the word is as a whole, without what encloses or ends it. */
function onlyValueOf(word: string): string | undefined {
  const bare = withoutStop(word.replace(/^[`"'(<]+|[`"')>,;.:!?]+$/g, ''));
  return valuesIn(bare).find((found) => found === bare);
}

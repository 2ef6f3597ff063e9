import type { InstructionKind } from '../instruction.js';
import { withoutLeadIn } from '../phrases/lead-in.js';
import { isOrder } from '../phrases/orders.js';
import { kindByRules } from '../rules.js';
import { ruledOutAs, wordsOf, type RuledOut } from '../ruled-out.js';
import { byWord } from './by-word.js';
import { takeFrame } from './frame.js';

/** Words that carry the grammar of a sentence, and verbs of speaking and working. Others count by their form alone. */
const grammar = new Set(
  (
    "i you he she it we they this that these those the a an my our your his her their there here is are am was were be been being do does did don't doesn't didn't not no never always only ever any every each all both some none nothing nobody anything anyone everything everyone " +
    'if when whenever once before after until unless while since because so and or but as than then with without in on at of for from to by into onto over under up down out off about through between within what which who whom whose how where why whether can could will would should may might must shall need have has had ' +
    "please kindly just also too still yet again now today tomorrow yesterday let let's me us them him make sure keep use avoid stop instead rather prefer like want ask tell say give show write send call answer reply speak talk treat assume stick mind remember forget refrain free feel time times more less most least very own other same first last next one two three"
  ).split(' '),
);
const mark = /^[?.!,;:—–-]$/;
const tokens = /[\p{Ll}]+(?:'[\p{Ll}]+)?|\d[\d.,]*|[?.!,;:—–-]|QUOTE/gu;

/** The form of a word that is no word of grammar: a number, an adverb, what ends like a past tense or a plural. */
const formOf = byWord((word) => {
  if (/^\d/.test(word)) return '#';
  if (mark.test(word) || grammar.has(word)) return word;
  if (/^\w+ly$/.test(word)) return 'LY';
  if (word.endsWith('ing') && word.length > 5) return 'ING';
  if (word.endsWith('ed') && word.length > 4) return 'ED';
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? 'S' : 'W';
});

/** Words of one stem share parts of this length. */
const partLength = 4;

/** The parts of a word that is no word of grammar, with its begin and end marked: "<tab", "tabs", "abs>". */
export function partsOf(word: string): string[] {
  if (grammar.has(word)) return [];
  const marked = `<${word}>`;
  return Array.from({ length: Math.max(0, marked.length - partLength + 1) }, (_, i) =>
    marked.slice(i, i + partLength),
  );
}

/** What other parts of the detector make of a sentence. */
export interface Verdicts {
  /** What the rules of grammar find in it. */
  byRules: InstructionKind | null;
  /** What it is by them when it is no instruction. */
  ruledOut: RuledOut | null;
}

function verdictsOn(sentence: string): Verdicts {
  const words = wordsOf(sentence);
  return { byRules: kindByRules(sentence, false, words), ruledOut: ruledOutAs(words) };
}

/**
 * Takes the cues of a sentence. Those that come with every word come in pieces: to look one up needs no new string.
 * A cue may come more than once.
 */
export interface CueTaker {
  named(cue: string): void;
  /** A word, which is a cue itself and by its parts (`partsOf`). */
  word(word: string): void;
  /** Two words in a row. */
  words(before: string, word: string): void;
  /** Two forms in a row, and three where there is one before them. */
  forms(twoBefore: string, before: string, form: string): void;
  /** A word of a sentence with such a subject. */
  withSubject(subject: string, word: string): void;
}

/** The names of cues that come in pieces. No word and no form has an underscore or a plus. */
export const nameOf = {
  words: (before: string, word: string): string => `pair:${before}_${word}`,
  twoForms: (before: string, form: string): string => `${before}_${form}`,
  threeForms: (twoBefore: string, before: string, form: string): string => `${twoBefore}_${before}_${form}`,
  withSubject: (subject: string, word: string): string => `f:${subject}+${word}`,
};

/** Each cue once by its name, in no order that matters. */
export function cuesOf(sentence: string, verdicts: Verdicts = verdictsOn(sentence)): Set<string> {
  const cues = new Set<string>();
  cuesOfRules(verdicts.byRules).forEach((cue) => cues.add(cue));
  takeCues(sentence, verdicts.ruledOut, {
    named: (cue) => cues.add(cue),
    word: (word) => [word, ...partsOf(word)].forEach((cue) => cues.add(cue)),
    words: (before, word) => cues.add(nameOf.words(before, word)),
    forms: (twoBefore, before, form) => {
      cues.add(nameOf.twoForms(before, form));
      if (twoBefore !== '') cues.add(nameOf.threeForms(twoBefore, before, form));
    },
    withSubject: (subject, word) => cues.add(nameOf.withSubject(subject, word)),
  });
  return cues;
}

/** The cues of what the rules of grammar find in a sentence. */
export const cuesOfRules = (byRules: InstructionKind | null): string[] =>
  byRules === null ? ['rules:no', 'no-rules'] : [`rules:${byRules}`, 'rules:any'];

/**
 * What can be seen of a sentence without understanding it and without the rules of grammar: its words and their parts,
 * two words in a row, two and three forms in a row, how it and its clauses begin, its length, its frame, and what rules
 * it out.
 */
export function takeCues(sentence: string, ruledOut: RuledOut | null, taker: CueTaker): void {
  const text = sentence
    .replace(/[’‘`´]/g, "'")
    .toLowerCase()
    .replace(/"[^"]{0,300}"|“[^”]{0,300}”/g, 'QUOTE');
  const words = text.match(tokens) ?? [];
  let wordBefore = '^';
  let twoBefore = '';
  let formBefore = '^';
  for (const word of words) {
    const form = formOf(word);
    taker.forms(twoBefore, formBefore, form);
    taker.words(wordBefore, word);
    if (!mark.test(word)) taker.word(word);
    if (wordBefore === '^' || mark.test(wordBefore)) {
      taker.named(`clause:${form}`);
      taker.named(`clause:${word}`);
    }
    twoBefore = formBefore;
    formBefore = form;
    wordBefore = word;
  }
  taker.forms(twoBefore, formBefore, '$');
  taker.named(`first:${words[0] ?? ''}`);
  taker.named(`first:${words.slice(0, 2).join('_')}`);
  taker.named(`words:${5 * Math.min(6, Math.floor(words.length / 5))}`);
  taker.named(`ruled-out:${ruledOut ?? 'no'}`);
  const rest = withoutLeadIn(text.trim());
  takeFrame(sentence, rest, isOrder(rest), taker);
}

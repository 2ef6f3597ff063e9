import type { InstructionKind } from '../instruction.js';
import { withoutLeadIn } from '../phrases/lead-in.js';
import { isOrder } from '../phrases/orders.js';
import { kindByRules } from '../rules.js';
import { ruledOutAs, wordsOf, type RuledOut } from '../ruled-out.js';
import { cachedByWord } from '../../messages/cached-by-text.js';
import { nameOfCue, type OnCue, type OnWord } from './cue.js';
import { frameOf } from './frame.js';

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
const formOf = cachedByWord((word) => {
  if (/^\d/.test(word)) return '#';
  if (mark.test(word) || grammar.has(word)) return word;
  if (/^\w+ly$/.test(word)) return 'LY';
  if (word.endsWith('ing') && word.length > 5) return 'ING';
  if (word.endsWith('ed') && word.length > 4) return 'ED';
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? 'S' : 'W';
});

/** Words of one stem share parts of this length. */
const partLength = 4;

/** The verdicts of the rules of grammar on a sentence. */
export interface Verdicts {
  /** The kind of instruction that they find in it. */
  byRules: InstructionKind | null;
  /** Why it is no instruction by them. */
  ruledOut: RuledOut | null;
}

/** The cues of these verdicts: always three. */
export const verdictCues = ({ byRules, ruledOut }: Verdicts): string[] => [
  `ruled-out:${ruledOut ?? 'no'}`,
  `rules:${byRules ?? 'no'}`,
  byRules ? 'rules' : 'no-rules',
];

/** The names of all cues of a sentence, each once, in no order that matters. */
export function cuesOf(sentence: string): Set<string> {
  const words = wordsOf(sentence);
  const byRules = kindByRules(sentence, false, words);
  const cues = new Set(verdictCues({ byRules, ruledOut: ruledOutAs(words) }));
  const onCue: OnCue = (...cue) => cues.add(nameOfCue(...cue));
  eachCue(sentence, onCue, (word) => eachCueOfWord(word, onCue));
  return cues;
}

/** A word is a cue, and unless it is one of grammar its parts are, with its begin and end marked: "<tab", "tabs", "abs>". */
export function eachCueOfWord(word: string, onCue: OnCue): void {
  onCue('', word);
  if (grammar.has(word)) return;
  const marked = `<${word}>`;
  for (let i = 0; i + partLength <= marked.length; i++) onCue('', marked.slice(i, i + partLength));
}

/**
 * Shows the features of a sentence that need no understanding: its words and their parts, two words in a row, two and
 * three forms in a row, how it and its clauses begin, its length and its frame. A cue may come more than once.
 */
export function eachCue(sentence: string, onCue: OnCue, onWord: OnWord): void {
  const text = sentence
    .replace(/[’‘`´]/g, "'")
    .toLowerCase()
    .replace(/"[^"]{0,300}"|“[^”]{0,300}”/g, 'QUOTE');
  const words = text.match(tokens) ?? [];
  let wordBefore = '^';
  let twoBefore = '';
  let formBefore = '^';
  let isAfterMark = false;
  for (let i = 0; i <= words.length; i++) {
    const word = words[i] ?? '$';
    const isEnd = i === words.length;
    const form = isEnd ? '$' : formOf(word);
    const isMark = word.length === 1 && mark.test(word);
    onCue('', formBefore, form);
    if (twoBefore !== '') onCue('', twoBefore, formBefore, form);
    if (!isEnd) {
      onCue('pair:', wordBefore, word);
      if (!isMark) onWord(word);
      if (i === 0 || isAfterMark) {
        onCue('clause:', form);
        onCue('clause:', word);
      }
    }
    twoBefore = formBefore;
    formBefore = form;
    wordBefore = word;
    isAfterMark = isMark;
  }
  onCue('first:', words[0] ?? '');
  onCue('first:', words[0] ?? '', words[1] ?? '');
  onCue('words:', `${5 * Math.min(6, Math.floor(words.length / 5))}`);
  const rest = withoutLeadIn(text.trim());
  frameOf(sentence, rest, isOrder(rest), onCue);
}

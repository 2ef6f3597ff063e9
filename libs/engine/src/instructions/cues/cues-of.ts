import { plain } from '../plain.js';
import { ruledOutAs, type RuledOut } from '../ruled-out.js';
import { structureOf } from './structure.js';

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
function formOf(word: string): string {
  if (/^\d/.test(word)) return '#';
  if (mark.test(word) || grammar.has(word)) return word;
  if (/^\w+ly$/.test(word)) return 'LY';
  if (word.endsWith('ing') && word.length > 5) return 'ING';
  if (word.endsWith('ed') && word.length > 4) return 'ED';
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? 'S' : 'W';
}

/** Words of one stem share their first letters. */
const stemLength = 5;

/**
 * What can be seen of a sentence without understanding it: its words and their stems, two words in a row, two and
 * three forms in a row and around a gap, how it and its clauses begin, its length, its structure, and what the rules
 * of grammar count it as when they rule it out, for a caller that does not know it already. Each once.
 */
export function cuesOf(
  sentence: string,
  ruledOut: RuledOut | null = ruledOutAs(plain(sentence)),
): Set<string> {
  const text = sentence
    .replace(/[’‘`´]/g, "'")
    .toLowerCase()
    .replace(/"[^"]{0,300}"|“[^”]{0,300}”/g, 'QUOTE');
  const words = text.match(tokens) ?? [];
  const forms = words.map(formOf);
  const cues = new Set<string>();
  for (const word of words) {
    if (mark.test(word)) continue;
    cues.add(word);
    if (word.length >= stemLength) cues.add(`stem:${word.slice(0, stemLength)}`);
  }
  words.forEach((word, i) => cues.add(`pair:${words[i - 1] ?? '^'}_${word}`));
  const all = ['^', ...forms, '$'];
  for (let i = 0; i < all.length - 1; i++) cues.add(all.slice(i, i + 2).join('_'));
  for (let i = 0; i < all.length - 2; i++) {
    cues.add(all.slice(i, i + 3).join('_'));
    cues.add(`gap:${all[i]}_${all[i + 2]}`);
  }
  cues.add(`first:${words[0] ?? ''}`);
  cues.add(`first:${words.slice(0, 2).join('_')}`);
  forms.forEach((form, i) => {
    if (i > 0 && !mark.test(forms[i - 1]!)) return;
    cues.add(`clause:${form}`);
    cues.add(`clause:${words[i]!}`);
  });
  cues.add(`words:${5 * Math.min(6, Math.floor(words.length / 5))}`);
  cues.add(`ruled-out:${ruledOut ?? 'no'}`);
  for (const cue of structureOf(text)) cues.add(cue);
  return cues;
}

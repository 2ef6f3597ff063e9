import { WeighedCues } from '../cues/weighed-cues.js';
import type { InstructionKind } from '../instruction.js';
import { eachCueOfAnyLanguage, eachCueOfAnyWord } from './cues-of-any-language.js';
import { bias, weightsByCue } from './weights.js';

const weighed = new WeighedCues(weightsByCue, bias, eachCueOfAnyWord);

/** A sentence that scores at least this is an instruction. */
const minScore = 0.75;
/** One that scores at least this, and less than an instruction, may be one. */
const minPossibleScore = -2;
/** A longer sentence is told, not asked for. */
const maxPossibleChars = 200;
/** "OK", "好的", "Danke!" */
const minPossibleChars = { letters: 10, characters: 4 };
const hasCharacters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Words that forbid, in the languages of the labelled sentences. A ban binds more than a wish when room is short. */
const forbids =
  /(?<!\p{L})(?:nicht|kein\p{L}*|nie|niemals|niet|geen|nooit|pas|jamais|aucun\p{L}*|non|mai|nessun\p{L}*|no|nunca|jamás|ningun\p{L}*|não|nenhum\p{L}*|не|никогда|нельзя|никак\p{L}*|nigdy|żadn\p{L}*)(?!\p{L})|[不别別勿莫]|禁止|ないで|ません|てはいけ|な(?:[。！!]|$)|마(?:세요|라|십시오)?(?:[.!]|$)|금지|안 /iu;

/**
 * Tells whether a sentence that is not English is a standing instruction, by what can be seen of its words. There are no
 * rules of grammar for it, so it is a ban or a preference. `isRule`: it is an item of a list of rules.
 */
export function verdictInOtherLanguage(
  sentence: string,
  isRule: boolean,
): InstructionKind | 'possible' | null {
  const score = scoreInOtherLanguage(sentence);
  if (score >= (isRule ? minPossibleScore : minScore))
    return forbids.test(sentence) ? 'prohibition' : 'preference';
  const { letters, characters } = minPossibleChars;
  const isLong = sentence.length >= (hasCharacters.test(sentence) ? characters : letters);
  return score >= minPossibleScore && isLong && sentence.length <= maxPossibleChars ? 'possible' : null;
}

/** How much a sentence that is not English looks like a standing instruction. */
export const scoreInOtherLanguage = (sentence: string): number =>
  weighed.scoreOf(weighed.evidenceOf((onCue, onWord) => eachCueOfAnyLanguage(sentence, onCue, onWord)));

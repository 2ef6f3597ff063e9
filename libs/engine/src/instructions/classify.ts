import { isAgreement } from '../extractive/politeness.js';
import { highestScore, scoreOf, weigh } from './cues/score.js';
import type { InstructionKind } from './instruction.js';
import { withoutLeadIn } from './phrases/lead-in.js';
import { kindByRules, kindOfRule } from './rules.js';
import { ruledOutAs, wordsOf } from './ruled-out.js';

/** A sentence that scores at least this is an instruction. */
const minScore = -0.5;
/** What the rules of grammar find is overruled only by a score that is clearly against it: a lost ban costs more than one too many. */
const minScoreByRules = -1;
/** A question has to score this much more. */
const moreForQuestion = 0.8;
/** What the rules of grammar count as a report, a courtesy or one thing at hand has to score this much more. */
const moreWhenRuledOut = 1;
/** From here on an instruction that no rule of grammar finds is taken for what its words say, and below for a preference. */
const certain = 1;
/** Of prose nearly all is letters; of code, paths and logs it is not. */
const minLetters = 0.85;

/**
 * Tells what a sentence asks of the assistant from now on, or null when it asks nothing of the kind. The score of its
 * cues decides, against what the rules of grammar find in it only where it is clear. `isRule`: the sentence is an item of a list of
 * rules, which decides it where the rules of grammar agree. `isEnding`: it says that something is over, so that it has
 * to be certain.
 */
export function kindOfSentence(sentence: string, isRule = false, isEnding = false): InstructionKind | null {
  const words = wordsOf(sentence);
  const { whole } = words;
  const ruledOut = ruledOutAs(words);
  const more = (/\?["')]*$/.test(whole) ? moreForQuestion : 0) + (ruledOut === null ? 0 : moreWhenRuledOut);
  const weighed = weigh(sentence, ruledOut);
  // The rules take longer than the score, and most sentences are far from any instruction.
  if (!isRule && highestScore(weighed) - more < minScoreByRules) return null;
  const byRules = kindByRules(sentence, isRule, words);
  if (isRule && byRules !== null) return byRules;
  if (byRules === null && !isScored(whole)) return null;
  const score = scoreOf(weighed, byRules) - more;
  if (score < minimumFor(byRules, isEnding)) return null;
  // The less certain it is the less it binds: what is certain goes first where room is short.
  return byRules ?? (score < certain ? 'preference' : kindOfRule(withoutLeadIn(whole)));
}

function minimumFor(byRules: InstructionKind | null, isEnding: boolean): number {
  if (byRules !== null) return minScoreByRules;
  return isEnding ? certain : minScore;
}

function isScored(whole: string): boolean {
  if (whole === '' || whole.endsWith(':')) return false;
  const others = whole.replace(/[\p{L} ]+/gu, '').length;
  return others <= whole.length * (1 - minLetters) && !isAgreement(whole);
}

import { isAgreement, isShortRefusal } from '../extractive/politeness.js';
import type { Verdicts } from './cues/cues-of.js';
import { evidenceOf, highestScore, scoreOf } from './cues/score.js';
import type { Evidence } from './cues/weighed-cues.js';
import type { InstructionKind } from './instruction.js';
import { isEnglish } from './languages/is-english.js';
import { scoreInOtherLanguage, verdictInOtherLanguage } from './languages/other-languages.js';
import { withoutLeadIn } from './phrases/lead-in.js';
import { oneStep } from './phrases/not-a-rule.js';
import { isQuestion } from './plain.js';
import { kindByRules, kindOfRule } from './rules.js';
import { ruledOutAs, wordsOf, type RuledOut } from './ruled-out.js';

/** A sentence that scores at least this is an instruction. */
const minScore = 1.5;
/**
 * What the rules of grammar find is overruled only by a score that is clearly against it: a lost ban costs more than one
 * too many. No instruction scores less.
 */
const minScoreByRules = -0.5;
/** A sentence that scores at least this, and less than an instruction, may be one: 98 % of labelled instructions do. */
const minPossibleScore = -4.25;
/** A longer sentence is told, not asked for: the longest labelled instruction that the score misses has 100 characters. */
const maxPossibleChars = 200;
/** A question has to score this much more. */
const moreForQuestion = 0.8;
/** What the rules of grammar count as a report, a courtesy or one thing at hand has to score this much more. */
const moreWhenRuledOut = 1;
/** From here on an instruction that no rule of grammar finds is taken for what its words say, and below for a preference. */
const certain = 2.5;
/** Of prose nearly all is letters; of code, paths and logs it is not. */
const minLetters = 0.85;

/** How a sentence is looked at. */
export interface Look {
  /** It is an item of a list of rules, which decides it where the rules of grammar agree. */
  isRule?: boolean;
  /** It says that something is over, so that it has to be certain. */
  isEnding?: boolean;
  /** Whether what only may be one counts: without, most sentences need no rules of grammar. Default: yes. */
  orPossible?: boolean;
}

/**
 * Tells what a sentence asks of the assistant from now on, or null when it asks nothing of the kind. The score of its
 * cues decides, against what the rules of grammar find in it only where it is clear.
 */
export function kindOfSentence(sentence: string, isRule = false): InstructionKind | null {
  const verdict = verdictOn(sentence, { isRule, orPossible: false });
  return verdict === 'possible' ? null : verdict;
}

/** The same, and `possible` for a sentence that scores too little for an instruction and enough to be shown as what may hold. */
export function verdictOn(
  sentence: string,
  { isRule = false, isEnding = false, orPossible = true }: Look = {},
): InstructionKind | 'possible' | null {
  if (!isRule && isRefusedOnce(sentence)) return null;
  if (!isEnglish(sentence)) {
    const verdict = verdictInOtherLanguage(sentence, isRule);
    return verdict === 'possible' && !orPossible ? null : verdict;
  }
  const words = wordsOf(sentence);
  const { whole } = words;
  if (isRule) {
    const kind = kindByRules(sentence, true, words);
    if (kind !== null) return kind;
  }
  if (!isRule && oneStep.test(whole)) return null;
  // Most sentences are nothing by their words alone: the rules of grammar, which take as long, are not asked then.
  const evidence = evidenceOf(sentence);
  if (highestScore(evidence) < (orPossible ? minPossibleScore : minScoreByRules)) return null;
  const byRules = isRule ? null : kindByRules(sentence, false, words);
  if (byRules === null && !isScored(whole)) return null;
  const ruledOut = ruledOutAs(words);
  const score = scoreOfWords(evidence, { whole, byRules, ruledOut });
  if (score < minimumFor(byRules, isEnding))
    return orPossible && isPossible(whole, score, ruledOut) ? 'possible' : null;
  // The less certain it is the less it binds: what is certain goes first where room is short.
  return byRules ?? (score < certain ? 'preference' : kindOfRule(withoutLeadIn(whole)));
}

/** How likely a sentence is to be an instruction: the score that it is judged by. */
export function likelihoodOf(sentence: string): number {
  if (!isEnglish(sentence)) return scoreInOtherLanguage(sentence);
  const words = wordsOf(sentence);
  const byRules = kindByRules(sentence, false, words);
  return scoreOfWords(evidenceOf(sentence), { whole: words.whole, byRules, ruledOut: ruledOutAs(words) });
}

function scoreOfWords(
  evidence: Evidence,
  { whole, byRules, ruledOut }: Verdicts & { whole: string },
): number {
  const more = (isQuestion(whole) ? moreForQuestion : 0) + (ruledOut === null ? 0 : moreWhenRuledOut);
  return scoreOf(evidence, { byRules, ruledOut }) - more;
}

function minimumFor(byRules: InstructionKind | null, isEnding: boolean): number {
  if (byRules !== null) return minScoreByRules;
  return isEnding ? certain : minScore;
}

const thanks =
  /^(?:(?:ok(?:ay)?|great|perfect|alright|sure|yes|yeah|no|cool|good|fine),? )?(?:many )?(?:thanks|thank you|thx|i (?:really )?appreciate (?:you|your|that|the|it|this))\b/;

/** Greetings and wishes, which have the form of an order or of none. */
const greetings =
  /^(?:and )?(?:(?:you )?have an? (?:\w+ ){1,4}(?:day|one|evening|weekend|night|morning|afternoon|week|time|trip|flight|journey|holiday|christmas)|(?:i'll )?(?:talk|speak|write|chat) (?:to you |with you )?(?:soon|later|again|tomorrow)|see you(?: \w+){0,2}|(?:hey|hi|hello) (?:there|again|everyone|all|team)|good (?:morning|day|evening|afternoon|night)(?: \w+)?|all the best|take care|(?:good)?bye(?: \w+){1,2}|enjoy (?:your|the rest of) (?:\w+ ?){1,4})[.!,)]*$/;

/** An answer to what the assistant just asked, which tells nothing without it. */
const bareAnswer =
  /^(?:yes,? |no,? )?(?:all|both|none|most|some|half|each|neither|either) of (?:it|them|these|those|that)(?:,? please)?[.!]*$/;

/** Thanks, single words and what the writer is about to do are frequent, and hardly ever an instruction. */
const isPossible = (whole: string, score: number, ruledOut: RuledOut | null): boolean =>
  score >= minPossibleScore &&
  whole.length <= maxPossibleChars &&
  whole.includes(' ') &&
  ruledOut !== 'courtesy' &&
  ruledOut !== 'own-plan' &&
  !thanks.test(whole) &&
  !greetings.test(whole) &&
  !bareAnswer.test(whole);

/** "No, do not go ahead": what it refuses was asked just before, so it says nothing of the time to come. */
const isRefusedOnce = (sentence: string): boolean =>
  isShortRefusal(sentence) && !/\b(?:never|niemals|nie|jamais|nunca|jamás|nooit|aldrig)\b/i.test(sentence);

function isScored(whole: string): boolean {
  if (whole === '' || whole.endsWith(':')) return false;
  const others = whole.replace(/[\p{L} ]+/gu, '').length;
  return others <= whole.length * (1 - minLetters) && !isAgreement(whole);
}

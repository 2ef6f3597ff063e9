import { isAgreement, isShortRefusal } from '../extractive/politeness.js';
import { highestScore, scoreOf } from './cues/score.js';
import { instructionKinds, type InstructionKind } from './instruction.js';
import { isEnglish } from './languages/is-english.js';
import { scoreInOtherLanguage, verdictInOtherLanguage } from './languages/other-languages.js';
import { withoutLeadIn } from './phrases/lead-in.js';
import { oneStep } from './phrases/not-a-rule.js';
import { readingOf, type Reading } from './reading.js';
import { kindByRules, kindOfRule } from './rules.js';
import type { RuledOut } from './ruled-out.js';

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

type Verdict = InstructionKind | 'possible' | null;

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
): Verdict {
  if (!isRule && isRefusedOnce(sentence)) return null;
  if (!isEnglish(sentence)) {
    const verdict = verdictInOtherLanguage(sentence, isRule);
    return verdict === 'possible' && !orPossible ? null : verdict;
  }
  const reading = readingOf(sentence);
  const { whole } = reading.words;
  if (isRule) {
    const kind = kindByRules(sentence, true, reading.words);
    if (kind !== null) return kind;
  }
  if (!isRule && oneStep.test(whole)) return null;
  // Many sentences are nothing by their words alone: the rules of grammar, which take as long, are not asked then.
  if (highestScore(reading.evidence) < (orPossible ? minPossibleScore : minScoreByRules)) return null;
  const verdictIf = (byRules: InstructionKind | null): Verdict => {
    const verdict = verdictByScore(reading, byRules, isEnding);
    return verdict === 'possible' && !orPossible ? null : verdict;
  };
  const without = verdictIf(null);
  // Nor are they where the verdict is the same whatever they find.
  if (isRule || instructionKinds.every((kind) => verdictIf(kind) === without)) return without;
  return reading.byRules === null ? without : verdictIf(reading.byRules);
}

/** The verdict on a sentence in which the rules of grammar find this. */
export function verdictByScore(
  reading: Reading,
  byRules: InstructionKind | null,
  isEnding: boolean,
): Verdict {
  const { whole } = reading.words;
  const score = scoreIf(reading, byRules);
  if (score < minPossibleScore || (byRules === null && !isScored(whole))) return null;
  if (score < minimumFor(byRules, isEnding)) return isPossible(whole, reading.ruledOut) ? 'possible' : null;
  // The less certain it is the less it binds: what is certain goes first where room is short.
  return byRules ?? (score < certain ? 'preference' : kindOfRule(withoutLeadIn(whole)));
}

/** How likely a sentence is to be an instruction: the score that it is judged by. */
export function likelihoodOf(sentence: string): number {
  if (!isEnglish(sentence)) return scoreInOtherLanguage(sentence);
  const reading = readingOf(sentence);
  return scoreIf(reading, reading.byRules);
}

/** Its score where the rules of grammar find this in it. */
function scoreIf({ isQuestion, evidence, ruledOut }: Reading, byRules: InstructionKind | null): number {
  const more = (isQuestion ? moreForQuestion : 0) + (ruledOut === null ? 0 : moreWhenRuledOut);
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
const isPossible = (whole: string, ruledOut: RuledOut | null): boolean =>
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

import { onOneLine } from '../../compaction/summary-line.js';
import { isPlainEnding, isReturn, isStay, scopeOf } from '../endings.js';
import type { InstructionWithState } from '../instruction.js';
import { areOnOtherTopics, inBoth, matterOf, type Matter } from '../matter.js';
import { isQuestion } from '../plain.js';
import { gistOf, type Gist } from './gist.js';
import { returnsTo, rulesOut } from './returns.js';
import { replacementScore } from './score.js';

/** An instruction with what it is compared by, read once for each. */
export interface Compared {
  one: InstructionWithState;
  gist: Gist;
  /** The task, event or stay that it is bound to. */
  scope: { words: string; matter: Matter } | null;
  /** What it goes back to: "Go back to 8080." */
  returnsTo: ReadonlySet<string> | null;
}

export function comparedBy(one: InstructionWithState): Compared {
  const words = scopeOf(one.text);
  const scope = words === null ? null : { words, matter: matterOf(words) };
  return { one, gist: gistOf(one.text), scope, returnsTo: returnsTo(one.text) };
}

/** Does the newer one go back to what the older one rules out? Then it holds, however little it says. */
export const goesBackOn = ({ returnsTo: thing, one: newer }: Compared, { one }: Compared): boolean =>
  thing !== null && newer.kind !== 'ending' && rulesOut(one.text, thing);

/**
 * What says that something else holds from now on. "Never call me, write instead" contrasts two things in itself, and
 * says nothing of what held before.
 */
const change =
  /\b(?:(?<!\b(?:never|not|no|don't|dont)\b.*)instead|actually|change of plans?|changed my (?:mind|\w+)|scratch that|forget (?:what|that|the|about|my)|no longer|any ?more|after all|switch|update[ds]?|from now on|as of (?:now|today)|rather than|new (?:rule|limit|budget|deadline|address|plan)|is now|are now|now\b|again|on second thought|correction|ignore (?:my|the|what)|disregard|drop the|lift(?:ed|ing)?|raise[ds]?|lower(?:ed)?|increase[ds]?|not \w+ but|make that|make it|replac\w+|revised?)\b/i;

/** Below this score the words of a pair speak against what a rule finds in it. Of pairs that are not weighed none does. */
const minScoreByRules = -0.5;

/** Is the newer one, for certain, the last word on what the older one is about? */
export function replaces(newer: Compared, older: Compared): boolean {
  const { kind, state, text } = newer.one;
  const { gist } = newer;
  if (goesBackOn(newer, older)) return true;
  if (state === 'possible' && older.one.state === 'active') return lifts(newer, older);
  if (kind === 'ending') {
    const { shared, both } = inCommon(gist.matter, older.gist.matter);
    return (isPlainEnding(text) && shared >= 0.5 && both >= 1) || endsScope(newer, older);
  }
  const saysTheSame = () => wordsIn(text) === wordsIn(older.one.text);
  // "Frag mich, bevor du löschst" and "... bevor du buchst" share all but the word that counts.
  if (!gist.matter.isEnglish || !older.gist.matter.isEnglish) return saysTheSame();
  // "All of it." names no matter by which it could be the same.
  if (older.one.state === 'possible' && saysTheSame()) return true;
  if (state === 'possible') return isOnSameMatter(newer, older);
  if (!isOnSameMatter(newer, older) && !changesMatter(newer, older)) return false;
  const score = replacementScore(older.gist, gist);
  return score === -Infinity || score >= minScoreByRules || isSaidAgain(gist, older.gist);
}

/** Do both have the same words, but for the smallest? The weights know changes, and what is said again is none. */
const isSaidAgain = ({ stems }: Gist, { stems: before }: Gist): boolean =>
  stems.size === before.size && [...stems].every((stem) => before.has(stem));

/** Are nearly all words of the older one's matter in the newer one, and not many others? */
function isOnSameMatter({ gist: { matter } }: Compared, { gist: { matter: before } }: Compared): boolean {
  const { shared, both } = inCommon(matter, before);
  return (
    shared >= 0.8 &&
    both >= Math.min(3, before.words.size) &&
    matter.words.size >= before.words.size * 0.6 &&
    // One word alone is the matter of few: "Assume nothing." is not about customers.
    (both > 1 || matter.words.size <= 2)
  );
}

/** Does it give the older one's topic another value, say the opposite, or say that it changes something? */
function changesMatter(
  { one: { kind, text }, gist: { matter } }: Compared,
  { one: { kind: olderKind }, gist: { matter: before } }: Compared,
): boolean {
  const { shared, both } = inCommon(matter, before);
  const { topics } = before;
  if (topics.size > 0 && [...topics].every((topic) => matter.topics.has(topic))) return true;
  const isOpposite = matter.sign * before.sign < 0;
  if (isOpposite && shared >= 0.5 && both >= Math.min(2, before.words.size, matter.words.size)) return true;
  if (areOnOtherThings(matter, before)) return false;
  // "Never mention prices from now on" leaves another ban as it is.
  const areBans = matter.sign < 0 && before.sign < 0;
  if (!areBans && shared >= 0.5 && both >= 1 && change.test(text)) return true;
  return kind === 'limit' && olderKind === 'limit' && shared >= 0.6;
}

/** Do they name no topic in common, and each one of a named thing: a budget for hotels and one for flights? */
const areOnOtherThings = (a: Matter, b: Matter): boolean =>
  areOnOtherTopics(a, b) && [...a.topics, ...b.topics].every((topic) => topic.includes(' of '));

/** What a sentence that is only possible allows, and an older ban forbids: the ban is what makes it one. */
function lifts(
  { one: { text }, gist: { matter } }: Compared,
  { gist: { matter: banned } }: Compared,
): boolean {
  if (matter.sign <= 0 || banned.sign >= 0 || !allowedNow.test(text) || isQuestion(text)) return false;
  const { shared, both } = inCommon(matter, banned);
  return shared >= 0.5 && (both >= 2 || (both === matter.words.size && both === banned.words.size));
}

/** Words of both: their share of the shorter one's, and their number. */
function inCommon(a: Matter, b: Matter): { shared: number; both: number } {
  const smaller = Math.min(a.words.size, b.words.size);
  const both = inBoth(a.words, b.words);
  return { shared: smaller === 0 ? 0 : both / smaller, both };
}

const allowedNow = /\b(?:again|now|allowed|no longer|any ?more|after all)\b/i;

const wordsIn = (text: string): string => onOneLine(text.toLowerCase());

/** Is the task, event or stay over to which the older one was bound? */
function endsScope({ one, gist }: Compared, { scope }: Compared): boolean {
  if (scope === null) return false;
  const { shared } = inCommon(scope.matter, gist.matter);
  return shared >= 0.3 || (isStay(scope.words) && isReturn(one.text));
}

import type { InstructionKind } from './instruction.js';
import { isPlainEnding, isReturn, isStay, scopeOf } from './endings.js';
import { inBoth, matterOf, type Matter } from './matter.js';
import { isQuestion } from './plain.js';
import { gistOf, type Gist } from './replacement/gist.js';
import { replacementScore } from './replacement/score.js';
import { kindOfWords } from './rules.js';

/** An instruction of a thread, with what a person decided about it. */
export interface Instruction {
  id: string;
  /** The message that says it; of one that a person added, the newest message then. */
  seq: number;
  text: string;
  /**
   * `ending`: it ends others and asks nothing itself ("The migration is done"). `possible`: it may be an instruction;
   * it binds nothing until a person approves it.
   */
  kind: InstructionKind | 'ending' | 'possible';
  source: 'found' | 'added';
  /** What a person decided, and the newest message then. */
  decision: { state: 'active' | 'dismissed'; atSeq: number } | null;
}

/** `possible`: it may hold, and nobody decided it yet; one that a newer message ended has `retiredBySeq` as well. */
export type InstructionState = 'active' | 'retired' | 'dismissed' | 'possible';

export interface InstructionWithState extends Instruction {
  state: InstructionState;
  /** The message that retired it. */
  retiredBySeq: number | null;
  /** Of a retired one: that it was replaced is likely and not certain, so it is shown among what may hold. */
  mayHold: boolean;
}

/**
 * What says that something else holds from now on. "Never call me, write instead" contrasts two things in itself, and
 * says nothing of what held before.
 */
const change =
  /\b(?:(?<!\b(?:never|not|no|don't|dont)\b.*)instead|actually|change of plans?|changed my (?:mind|\w+)|scratch that|forget (?:what|that|the|about|my)|no longer|any ?more|after all|switch|update[ds]?|from now on|as of (?:now|today)|rather than|new (?:rule|limit|budget|deadline|address|plan)|is now|are now|now\b|again|on second thought|correction|ignore (?:my|the|what)|disregard|drop the|lift(?:ed|ing)?|raise[ds]?|lower(?:ed)?|increase[ds]?|not \w+ but|make that|make it|replac\w+|revised?)\b/i;

/** Newest instructions that each new one is compared with: bounds the work on a thread with very many of them. */
const maxCompared = 500;

/**
 * The score from which on a newer instruction is taken to replace an older one, where so many hold: the more there are,
 * the likelier one of them resembles it by chance (ADR 122).
 */
const likelyScore = (holding: number): number => 0.5 + Math.log(holding) / 2.5;
/** Newest instructions on something in common that each new one is weighed against. */
const maxWeighed = 20;

/**
 * The state of each instruction. A newer one retires the older ones on the same matter, for certain or likely; a
 * dismissed one neither holds nor retires; what a person approved is retired only by what was said after that. What is
 * only possible ends for certain alone, and retires nothing but an older possible one that says the same, and a ban that
 * it lifts. In the order of the thread.
 */
export function withStates(instructions: readonly Instruction[]): InstructionWithState[] {
  const inOrder = [...instructions].sort((a, b) => a.seq - b.seq || compareIds(a.id, b.id));
  const all = inOrder.map((one): InstructionWithState => ({
    ...one,
    kind: kindNow(one),
    state: stateAtFirst(one),
    retiredBySeq: null,
    mayHold: false,
  }));
  const open: Open[] = [];
  const maybe: Open[] = [];
  for (const one of all) {
    if (one.state === 'dismissed') continue;
    const gist = gistOf(one.text);
    const newer = { ...one, matter: gist.matter, scope: null };
    retire(open, newer, (older) => mayRetire(one, older), 'retired');
    retire(maybe, newer, (older) => one.seq > older.seq, 'possible');
    if (one.state === 'active' && one.kind !== 'ending') retireLikely(open, one, gist);
    (one.state === 'possible' ? maybe : open).push({ one, gist, scope: readScope(one.text) });
  }
  return all;
}

/** One that a newer one may still end for certain. */
interface Open {
  one: InstructionWithState;
  gist: Gist;
  scope: Scope | null;
}

/** The task, event or stay that an instruction is bound to. */
interface Scope {
  words: string;
  matter: Matter;
}

function readScope(text: string): Scope | null {
  const words = scopeOf(text);
  return words === null ? null : { words, matter: matterOf(words) };
}

/** Those that the newer one ends for certain are open no more. */
function retire(
  open: Open[],
  newer: Weighed,
  may: (one: InstructionWithState) => boolean,
  state: InstructionState,
): void {
  const compared = open.splice(-maxCompared);
  for (const older of compared) {
    const { one, gist, scope } = older;
    if (!may(one) || !replaces(newer, { ...one, matter: gist.matter, scope })) {
      open.push(older);
      continue;
    }
    one.state = state;
    one.retiredBySeq = newer.seq;
    one.mayHold = false;
  }
}

/** Retires what a newer instruction is likely to replace, where nothing says so for certain. */
function retireLikely(open: readonly Open[], newer: InstructionWithState, gist: Gist): void {
  const holding = open
    .slice(-maxCompared)
    .filter(({ one }) => one.state === 'active' && one.kind !== 'ending');
  const least = likelyScore(holding.length);
  let weighed = 0;
  for (const { one, gist: olderGist } of holding.reverse()) {
    if (!mayRetire(newer, one)) continue;
    if (areOnOtherTopics(gist.matter, olderGist.matter)) continue;
    const score = replacementScore(olderGist, gist);
    if (score > -Infinity && ++weighed > maxWeighed) return;
    if (score < least) continue;
    one.state = 'retired';
    one.retiredBySeq = newer.seq;
    one.mayHold = true;
  }
}

function stateAtFirst({ kind, decision }: Instruction): InstructionState {
  if (decision?.state === 'dismissed') return 'dismissed';
  return kind === 'possible' && decision === null ? 'possible' : 'active';
}

/** What a person approved demands what its words say. */
const kindNow = ({ kind, text, decision }: Instruction): Instruction['kind'] =>
  kind === 'possible' && decision?.state === 'active' ? kindOfWords(text) : kind;

const mayRetire = (newer: Instruction, older: Instruction): boolean =>
  newer.seq > older.seq && (older.decision === null || newer.seq > older.decision.atSeq);

interface Weighed extends InstructionWithState {
  matter: Matter;
  scope: Scope | null;
}

/** Is the newer one the last word on what the older one is about? */
function replaces(newer: Weighed, older: Weighed): boolean {
  if (newer.state === 'possible' && older.state === 'active') return lifts(newer, older);
  const { shared, both } = inCommon(newer.matter, older.matter);
  if (newer.kind === 'ending')
    return (isPlainEnding(newer.text) && shared >= 0.5 && both >= 1) || endsScope(newer, older);
  const isSame =
    shared >= 0.8 &&
    both >= Math.min(3, older.matter.words.size) &&
    newer.matter.words.size >= older.matter.words.size * 0.6 &&
    // One word alone is the matter of few: "Assume nothing." is not about customers.
    (both > 1 || newer.matter.words.size <= 2);
  const saysTheSame = () => wordsIn(newer.text) === wordsIn(older.text);
  // "Frag mich, bevor du löschst" and "... bevor du buchst" share all but the word that counts.
  if (!newer.matter.isEnglish || !older.matter.isEnglish) return saysTheSame();
  // "All of it." names no matter by which it could be the same.
  if (older.state === 'possible' && saysTheSame()) return true;
  if (isSame || newer.state === 'possible') return isSame;
  const { topics } = older.matter;
  if (topics.size > 0 && [...topics].every((topic) => newer.matter.topics.has(topic))) return true;
  const isOpposite = newer.matter.sign * older.matter.sign < 0;
  if (isOpposite && shared >= 0.5 && both >= Math.min(2, older.matter.words.size, newer.matter.words.size))
    return true;
  if (areOnOtherThings(newer.matter, older.matter)) return false;
  // "Never mention prices from now on" leaves another ban as it is.
  const areBans = newer.matter.sign < 0 && older.matter.sign < 0;
  if (!areBans && shared >= 0.5 && both >= 1 && change.test(newer.text)) return true;
  return newer.kind === 'limit' && older.kind === 'limit' && shared >= 0.6;
}

/** Do both name topics, and none that is the same? */
const areOnOtherTopics = ({ topics: a }: Matter, { topics: b }: Matter): boolean =>
  a.size > 0 && b.size > 0 && ![...a].some((topic) => b.has(topic));

/** The same where each topic is one of a named thing: a budget for hotels and one for flights. */
const areOnOtherThings = (a: Matter, b: Matter): boolean =>
  areOnOtherTopics(a, b) && [...a.topics, ...b.topics].every((topic) => topic.includes(' of '));

/** What a sentence that is only possible allows, and an older ban forbids: the ban is what makes it one. */
function lifts(newer: Weighed, older: Weighed): boolean {
  const { matter, text } = newer;
  if (matter.sign <= 0 || older.matter.sign >= 0 || !allowedNow.test(text) || isQuestion(text)) return false;
  const { shared, both } = inCommon(newer.matter, older.matter);
  return shared >= 0.5 && (both >= 2 || (both === matter.words.size && both === older.matter.words.size));
}

/** Words of both: their share of the shorter one's, and their number. */
function inCommon(a: Matter, b: Matter): { shared: number; both: number } {
  const smaller = Math.min(a.words.size, b.words.size);
  const both = inBoth(a.words, b.words);
  return { shared: smaller === 0 ? 0 : both / smaller, both };
}

const allowedNow = /\b(?:again|now|allowed|no longer|any ?more|after all)\b/i;

const wordsIn = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Is the task, event or stay over to which the older one was bound? */
function endsScope(ending: Weighed, { scope }: Weighed): boolean {
  if (scope === null) return false;
  const { shared } = inCommon(scope.matter, ending.matter);
  return shared >= 0.3 || (isStay(scope.words) && isReturn(ending.text));
}

/** Ids of one message are in the order of their positions: `41-2` before `41-10`. */
const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

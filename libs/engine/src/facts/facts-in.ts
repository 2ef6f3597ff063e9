import type { SeqMessage } from '../messages/seq-message.js';
import {
  identifierPatterns,
  isIdentifier,
  mayMatch,
  textsToRead,
  withoutStop,
} from '../ledger/identifiers.js';
import { clipAtWord } from '../compaction/summary-line.js';
import { instructionsIn } from '../instructions/instructions-in.js';
import type { Fact, FactKind } from './fact.js';

const { url, email, path, name } = identifierPatterns;
const output = /\bout_[0-9a-f]{32}\b/g;
const error =
  /\b(?:[A-Z]\w{2,40}(?:Error|Exception)|ERR_[A-Z_]{3,40}|SIG(?:KILL|TERM|SEGV|ABRT|INT)|ECONN[A-Z]{3,10}|E(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|PIPE|TIMEDOUT|ADDRINUSE|NOTFOUND|MFILE|NOSPC|RESOLVE))\b/g;
/** Dates, amounts, shares and numbers of three digits or more: one or two digits are in every text by chance. */
const number =
  /(?<![\w.,/:$€£-])(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?|[$€£]\d[\d,]{0,14}(?:\.\d{1,4})?|\d{1,12}(?:\.\d{1,8})?%|\d{1,12}\.\d{1,8}|\d{1,3}(?:,\d{3}){1,4}|\d{3,15})(?![\w/:%-])/g;

/** In this order, each in what the ones before left over: the name of a file is no id of its own. */
const patterns: readonly (readonly [FactKind, RegExp])[] = [
  ['output', output],
  ['url', url],
  ['email', email],
  ['path', path],
  ['error', error],
  ['id', name],
];

/** The facts of a text, without its numbers. */
export function factsOfText(text: string): Fact[] {
  return splitFacts(text).facts;
}

/**
 * The facts of a message, each once. Numbers count where a person or the agent wrote them: a tool prints them by the
 * hundred. Linear in the text, which is read up to the bounds of the extractor.
 */
export function factsIn(message: SeqMessage): Fact[] {
  const found = textsToRead(message).flatMap((text) => {
    const { facts, rest } = splitFacts(text);
    return message.role === 'tool' ? facts : [...facts, ...all('number', number, rest)];
  });
  for (const { text, kind } of instructionsIn(message))
    if (kind !== 'ending' && kind !== 'possible')
      found.push({ kind: 'constraint', text: text.replace(/\s+/g, ' ') });
  for (const { input } of message.calls) for (const fact of commandIn(input)) found.push(fact);
  return [...new Map(found.map((fact) => [`${fact.kind} ${fact.text}`, fact])).values()];
}

/** The identifiers of a text, and the text without them. */
export function splitFacts(text: string): { facts: Fact[]; rest: string } {
  const facts: Fact[] = [];
  let rest = text;
  for (const [kind, pattern] of patterns) {
    if (!mayMatch(text, pattern)) continue;
    rest = rest.replace(pattern, (value) => {
      const whole = withoutStop(value);
      if (kind === 'id' && !isIdentifier(whole)) return value;
      facts.push({ kind, text: whole });
      return ' ';
    });
  }
  return { facts, rest };
}

const all = (kind: FactKind, pattern: RegExp, text: string): Fact[] =>
  (text.match(pattern) ?? []).map((value) => ({ kind, text: value }));

/** The command that a shell was given: the first line of the argument that tools of this kind share. */
function commandIn(input: string): Fact[] {
  const found = /"(?:command|cmd|script)"\s*:\s*("(?:[^"\\]|\\.){2,2000}")/.exec(input.slice(0, 4_000))?.[1];
  if (!found) return [];
  try {
    const [first = ''] = (JSON.parse(found) as string).trim().split('\n');
    return first === '' ? [] : [{ kind: 'command', text: unclipped(clipAtWord(first, 200)) }];
  } catch {
    // Arguments that a model wrote badly are no command.
    return [];
  }
}

/** Without the mark where it was clipped. */
const unclipped = (text: string): string => text.replace(/ \.\.\.$/, '');

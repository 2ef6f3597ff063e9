import type { SeqMessage } from '../messages/seq-message.js';
import { oneLine, sentencesOf, type Item } from './item.js';

/** Words that rule something in or out for whoever works on the task. */
const rule =
  /\b(don['’]?t|do not|never|always|must(?:n['’]t| not)?|only|prefer|avoid|make sure|ensure|remember|important|without|keep|no more than|at most|at least|deadline|instead of|rather than)\b/i;
/** A bound is a rule whoever says it: "I can pay at most $500". */
const bound = /\b(must(?:n['’]t| not)?|no more than|at most|at least|deadline|prefer)\b/i;
/** The user forbids something: "I don't want you to push", as opposed to "I don't have it". */
const refusal = /\b(?:I|we) (?:don['’]?t|do not|never) (?:want|wish|allow|accept|permit)\b/i;
/** The speaker tells about, or asks for, something: "I don't have the id", "I only want to know", "I keep getting". */
const ofOneself =
  /^(?:[\w'’]+[,;:]? ){0,4}?(?:I|we)(?:['’](?:m|ve|d|ll|re))?(?: \w+)? (?:(?:really|just|also|still) )?(?:don['’]?t|do not|never|always|only|keep|remember|want|need|hope|wish|would like|like|am|was|have|had|can|could|can['’]?t)\b|\b(?:it|that|this|they|he|she|there) (?:don['’]?t|doesn['’]?t|do not|only|always|never)\b/i;

/** Tells whether a sentence says what must or must not be done. Questions, reports and wishes do not. */
export function isConstraint(sentence: string): boolean {
  if (!rule.test(sentence) || /\?["'”’)]*$/.test(sentence)) return false;
  return bound.test(sentence) || refusal.test(sentence) || !ofOneself.test(sentence);
}

/** What the user asked for, in the user's words: the task is the user's to say. */
export const requestsOf = (messages: readonly SeqMessage[]): Item[] =>
  messages
    .filter((message) => message.role === 'user' && message.text.trim() !== '')
    .map((message) => ({ seq: message.seq, text: `user: "${oneLine(message.text, 320)}"`, weight: 1 }));

/** Preferences and constraints, verbatim: they are what users miss most when they are lost. */
export const constraintsOf = (messages: readonly SeqMessage[]): Item[] =>
  messages
    .filter((message) => message.role === 'user' || message.role === 'system' || message.role === 'developer')
    .flatMap((message) =>
      sentencesOf(message.text)
        .filter(isConstraint)
        .slice(0, 4)
        .map((sentence) => ({
          seq: message.seq,
          text: `${message.role}: "${oneLine(sentence, 240)}"`,
          weight: 2,
        })),
    );

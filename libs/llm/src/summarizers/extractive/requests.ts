import type { SeqMessage } from '../../summarizer.js';
import { oneLine, sentencesOf, type Item } from './item.js';

const constraint =
  /\b(don'?t|do not|never|always|must(n't| not)?|only|prefer|avoid|make sure|ensure|remember|important|without|keep|no more than|at most|at least|deadline|instead of|rather than)\b/i;

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
        .filter((sentence) => constraint.test(sentence))
        .slice(0, 4)
        .map((sentence) => ({
          seq: message.seq,
          text: `${message.role}: "${oneLine(sentence, 240)}"`,
          weight: 2,
        })),
    );

import type { SeqMessage } from '../messages/seq-message.js';
import { clipAtWord } from '../compaction/summary-line.js';
import { isPoliteness } from './politeness.js';
import { sentencesOf } from './sentences.js';

/** The words of an agent about a call of its own. With them a summary needs neither arguments nor result. */
export interface WordsAroundCall {
  /** The announcement, where it has all values of the call: "Line 1 of FF-100543, from 41 to 42." */
  before: string | null;
  /** The report after the call: "189.00 goes back to the card." */
  after: string | null;
}

/** A value that can be asked for again: a number, a code, a date. It is tried from its start alone: linear. */
const value = /(?<![\w./-])[\w./-]*\d[\w./:-]*/g;
const maxChars = { before: 90, after: 80 } as const;
/** Messages after a call in which its report is looked for. */
const reportWithin = 4;

/** Reads the message of a call, and the answer to the user that follows it before anything else is tried. */
export function wordsAroundCall(messages: readonly SeqMessage[], at: number, input: string): WordsAroundCall {
  return { before: announcedBy(messages[at]!, input), after: reportedAfter(messages, at) };
}

/** An announcement replaces the call when it says all of its values. */
function announcedBy({ text, calls }: SeqMessage, input: string): string | null {
  if (calls.length !== 1 || text.length > maxChars.before || isPoliteness(text)) return null;
  const values = new Set(input.match(value));
  const named = [...values].filter((one) => text.includes(one)).length;
  return named > 0 && named === values.size ? clipAtWord(text, maxChars.before) : null;
}

/** Only a report to somebody: a step that goes on with a call says what comes next. */
function reportedAfter(messages: readonly SeqMessage[], at: number): string | null {
  for (const message of messages.slice(at + 1, at + 1 + reportWithin)) {
    if (message.results.length > 0) continue;
    if (message.role !== 'assistant' || message.calls.length > 0) return null;
    const telling = sentencesOf(message.text).filter((one) => !isPoliteness(one) && /\d/.test(one));
    return telling.length === 0 ? null : clipAtWord(telling.join(' '), maxChars.after);
  }
  return null;
}

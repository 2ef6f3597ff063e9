import { parseQuote, renderQuote } from '../compaction/quote.js';
import { clipAtWord, type SummaryLine } from '../compaction/summary-line.js';
import { participantOf } from '../messages/participant.js';
import type { SeqMessage } from '../messages/seq-message.js';
import type { Item } from './item.js';
import { isAsked, isShortRefusal } from './politeness.js';
import { sentencesOf } from './sentences.js';
import { weights } from './weights.js';

/** A short "no" of the user. Without the question that it answers nobody could tell what was refused. */
export interface UserRefusal {
  /** The quote of the user. */
  line: SummaryLine;
  /** The question of the agent just before; null where it asked nothing, or an earlier fold has read it. */
  question: SummaryLine | null;
  /** It refuses the work itself, and not only answers a question about it. */
  refusesWork: boolean;
}

const maxQuestion = 120;
const offersMore =
  /\b(?:anything|something|what|who|where) (?:else|more|further)\b|\b(?:any|more|further|other) (?:questions?|help|assistance|requests?|concerns?)\b/i;
const asksLeave =
  /\b(?:shall|should|may|can|could|do) (?:i|we)\b|\bgo ahead\b|\bproceed\b|\bcontinue\b|\bwant me to\b|\bwould you like\b|\bdo you (?:want|agree|confirm|approve)\b|\bconfirm\b|\bok(?:ay)?\W*$/i;
const asksForWork = /\b(?:shall|should) (?:i|we)\b|\bgo ahead\b|\bproceed\b|\bconfirm\b/i;
/** Words that refuse more than one answer. */
const stops = /\b(?:stop|halt|stopp|basta)\b|\b(?:do not|don['’]?t)\b/i;

/** The refusals of a range in order. The "no" to an offer of more help is none. */
export function userRefusals(messages: readonly SeqMessage[]): UserRefusal[] {
  return messages.flatMap((message, i) => {
    if (message.role !== 'user' || !isShortRefusal(message.speech)) return [];
    const before = messages[i - 1];
    const sentences =
      before?.role === 'assistant' && before.calls.length === 0 ? sentencesOf(before.text) : [];
    const asked = sentences.findLast(isAsked);
    const last = asked ?? sentences.at(-1) ?? '';
    if (offersMore.test(last) && !asksForWork.test(last)) return [];
    const question = asked === undefined ? null : { seq: before!.seq, text: clipAtWord(asked, maxQuestion) };
    const words = clipAtWord(message.speech, maxQuestion);
    const line = {
      seq: message.seq,
      text: renderQuote({ role: 'user', participant: participantOf(message), words }),
    };
    const refusesWork = before === undefined ? stops.test(words) : refuses(question);
    return [{ line, question, refusesWork }];
  });
}

const refuses = (question: SummaryLine | null): boolean => question === null || asksLeave.test(question.text);

/** Tells the refusals among the lines of an earlier overview, with their questions, from its other lines. */
export function splitRefusals<Line extends SummaryLine>(
  lines: readonly Line[],
): { others: Line[]; refusals: UserRefusal[] } {
  const others: Line[] = [];
  const refusals: UserRefusal[] = [];
  for (const line of lines) {
    const quote = line.seq > 0 ? parseQuote(line.text) : null;
    if (quote?.role !== 'user' || !isShortRefusal(quote.words)) {
      others.push(line);
      continue;
    }
    const before = others.at(-1);
    const isQuestion =
      before !== undefined &&
      before.seq > 0 &&
      before.seq < line.seq &&
      parseQuote(before.text) === null &&
      (isAsked(before.text) || before.text.endsWith(' ...'));
    if (isQuestion) others.pop();
    const question = isQuestion ? { seq: before.seq, text: before.text } : null;
    refusals.push({ line: { seq: line.seq, text: line.text }, question, refusesWork: refuses(question) });
  }
  return { others, refusals };
}

/** Refusals of one task that a summary keeps. */
const maxRefusals = 3;

/** The newest refusals, as items. */
export const refusalItems = (refusals: readonly UserRefusal[]): Item[] =>
  refusals
    .slice(-maxRefusals)
    .map(({ line, question }) => ({ ...line, weight: weights.task.began, refuses: { question } }));

/** The refusals as outcomes in the line of a closed task. */
export const refusedByUser = (refusals: readonly UserRefusal[]): string[] =>
  refusals
    .filter(({ refusesWork }) => refusesWork)
    .map(({ line, question }) => `refused by the user: ${question?.text ?? parseQuote(line.text)!.words}`);

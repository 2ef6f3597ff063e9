import { parseQuote, type Quote } from '../compaction/quote.js';
import { onOneLine } from '../compaction/summary-line.js';
import { factsField, type SummaryFields } from '../compaction/summary.js';
import { participantOf } from '../messages/participant.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { parseLedger, renderLedger, type LedgerEntry } from '../ledger/ledger-text.js';

/** A line of a summary that claims to be a person's words, with the message that is said to hold them. */
export interface QuoteClaim extends Quote {
  seq: number;
}

const citedLine = /^\s*(?:[-*•]\s+)?\[(\d{1,9})\] (.*)$/s;
const outputMark = / -> (out_[0-9a-f]{32})(?=\s*$)/;

export function quoteClaim(line: string): QuoteClaim | null {
  const [, seq, text = ''] = citedLine.exec(line) ?? [];
  const quote = parseQuote(text.trimEnd());
  return quote && { seq: Number(seq), ...quote };
}

/** A quote is true when that message is of that role and person and says it; where it was clipped, up to there. */
export function isTrueQuote({ role, participant, words }: Quote, message: SeqMessage | undefined): boolean {
  const text = onOneLine(words).replace(/ ?\.\.\.$/, '');
  const isOf = message?.role === role && (participant === null || participantOf(message) === participant);
  return isOf && text !== '' && onOneLine(message.speech).includes(text);
}

/** The messages that a summary's quotes and facts name, and the outputs that its lines say results were stored as. */
export function quotesIn(fields: SummaryFields): { seqs: number[]; outputIds: string[] } {
  const lines = Object.values(fields).flatMap((text) => text.split('\n'));
  return {
    seqs: [
      ...new Set([
        ...lines.flatMap((line) => quoteClaim(line)?.seq ?? []),
        ...parseLedger(fields[factsField] ?? '').flatMap(({ seq, was }) => [seq, ...(was ? [was.seq] : [])]),
      ]),
    ],
    outputIds: [...new Set(lines.flatMap((line) => outputMark.exec(line)?.[1] ?? []))],
  };
}

/**
 * Drops the quotes and facts that no message bears out and the marks of outputs that the thread does not have. A tool
 * result or a model can write lines of our form, and what a summary says of the user is kept for good.
 */
export function withoutForgeries(
  fields: SummaryFields,
  messages: ReadonlyMap<number, SeqMessage>,
  outputIds: ReadonlySet<string>,
): SummaryFields {
  const isKept = (line: string): boolean => {
    const claim = quoteClaim(line);
    return claim === null || isTrueQuote(claim, messages.get(claim.seq));
  };
  const withKnownOutput = (line: string): string => {
    const id = outputMark.exec(line)?.[1];
    return id === undefined || outputIds.has(id) ? line : line.replace(outputMark, '');
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name,
      (name === factsField ? trueFacts(text, messages) : text)
        .split('\n')
        .filter(isKept)
        .map(withKnownOutput)
        .join('\n'),
    ]),
  );
}

/** The lines of a ledger with the values that their messages say letter by letter. Other lines stay as they are. */
function trueFacts(text: string, messages: ReadonlyMap<number, SeqMessage>): string {
  return text
    .split('\n')
    .map((line) => {
      const entries = parseLedger(line);
      const kept = entries
        .filter(({ seq, value }) => saysValue(messages.get(seq), value))
        .map(({ was, ...entry }): LedgerEntry =>
          was && saysValue(messages.get(was.seq), was.value) ? { ...entry, was } : entry,
        );
      const isTrue = kept.length === entries.length && kept.every(({ was }, i) => !was === !entries[i]!.was);
      return isTrue ? line : renderLedger(kept);
    })
    .filter((line) => line !== '')
    .join('\n');
}

const saysValue = (message: SeqMessage | undefined, value: string): boolean =>
  message !== undefined &&
  (message.text.includes(value) || message.calls.some(({ input }) => input.includes(value)));

import { factsField, type SummaryFields } from '../compaction/summary.js';
import type { CountTokens } from '../tokens/counter.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { parseLines, renderLine, type SummaryLine } from '../compaction/summary-line.js';
import { Ledger } from './ledger.js';
import { SaidText } from './said-text.js';
import { storedOutputsOf } from './stored-outputs.js';

/** Lines of stored outputs stop here, so that this share of the room is left for values. */
const valuesShare = 1 / 3;
/** Tokens of the breaks between the lines of outputs and the ledger. */
const breakTokens = 2;

export interface KeepFactsInput {
  /** The active summary, which the new one replaces. */
  prior: SummaryFields | null;
  /** Those that the new one covers beside it. */
  messages: readonly SeqMessage[];
  /** Tokens that may be added. */
  room: number;
  count: CountTokens;
}

/**
 * Models keep conclusions and lose evidence. What a later step needs letter by letter is put back by code: where
 * outputs are stored, then the values of the thread's ledger, unless the summary already says them. The most used and
 * newest first; what does not fit is one search away. What the user asked for from now on has a slot of its own: see
 * instructions/render.ts.
 */
export function keepFacts(
  fields: SummaryFields,
  { prior, messages, room, count }: KeepFactsInput,
): SummaryFields {
  const preserved = 'context_to_preserve';
  const field = preserved in fields ? preserved : factsField;
  const own = (fields[field] ?? '').trim();
  // Of a range that is read in parts, the part before has left a ledger of its own.
  const { [factsField]: before = '', ...written } = fields;
  const ledgerSoFar = field === preserved ? before : '';
  const narrative = field === preserved ? written : fields;
  const narrativeText = flat(Object.values(narrative).join('\n'));
  const isMissing = (text: string) => !narrativeText.includes(flat(text));

  const known = prior?.[preserved] ?? prior?.[factsField] ?? '';
  let left = room;
  const fits = (text: string): boolean => {
    const tokens = count(text) + 1;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  const outputs = unique([...outputsIn(known), ...storedOutputsOf(messages)]).filter((line) =>
    isMissing(outputOf(line)),
  );
  const stored = outputs.toReversed().filter((line) => left > room * valuesShare && fits(renderLine(line)));

  const ledger = new Ledger(ledgerSoFar === '' ? prior : { ...prior, [factsField]: ledgerSoFar });
  ledger.add(messages);
  const lines = stored.toReversed().map(renderLine);
  const beside = new SaidText([...Object.values(narrative), ...lines].join('\n'));
  const facts = ledger.render(Math.max(0, left - breakTokens), count, {
    isSaid: (value) => beside.says(value),
  });
  const text = [own, ...lines].filter((line) => line !== '').join('\n');
  if (field === preserved) return { ...fields, [preserved]: text, [factsField]: facts };
  const all = [text, facts].filter((part) => part !== '').join('\n');
  return all === '' ? fields : { ...fields, [factsField]: all };
}

const outputsIn = (text: string): SummaryLine[] =>
  parseLines(text).filter((line) => line.seq > 0 && outputOf(line) !== '');
const outputOf = ({ text }: SummaryLine): string => / -> (out_[0-9a-f]{32})$/.exec(text)?.[1] ?? '';

const unique = (lines: readonly SummaryLine[]): SummaryLine[] => [
  ...new Map(lines.map((line) => [line.text, line])).values(),
];
const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();

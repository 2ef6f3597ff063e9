import { factsField, type SummaryFields } from '../compaction/summary.js';
import type { CountTokens } from '../tokens/counter.js';
import { fitLedger, parseLedger, renderLedger, type LedgerEntry, type SizedEntry } from './ledger-text.js';
import { SaidText } from './said-text.js';

export interface AddFactsInput {
  /** Tokens that the facts may take with what is added. */
  room: number;
  count: CountTokens;
  /**
   * Which values stay when not all fit. `added`: the new ones, in their order, up to half of the room. `use`: those that
   * were used most; values that a tool only listed are dropped first.
   */
  prefer: 'added' | 'use';
}

/**
 * A summary's fields with further values among its facts, as far as there is room. Values that it says already are not
 * added. The same fields when nothing is missing.
 */
export function addFacts(
  fields: SummaryFields,
  entries: readonly LedgerEntry[],
  { room, count, prefer }: AddFactsInput,
): SummaryFields {
  const written = new SaidText(Object.values(fields).join('\n'));
  const missing = entries.filter(({ value }) => !written.says(value));
  if (missing.length === 0) return fields;
  const lines = (fields[factsField] ?? '').split('\n').filter((line) => line !== '');
  const others = lines.filter((line) => !isLedger(line));
  const known = lines.filter(isLedger).flatMap((line) => parseLedger(line));
  const left = Math.max(0, room - others.reduce((sum, line) => sum + count(line) + 1, 0));
  const sized = (of: readonly LedgerEntry[]): SizedEntry[] =>
    of.map((entry) => ({ entry, tokens: count(entry.value) }));
  const first = prefer === 'added' ? fitLedger(sized(missing), Math.floor(left / 2), count) : [];
  const rest = (prefer === 'added' ? known : [...known, ...missing]).sort(byUse);
  const kept = fitLedger([...sized(first), ...sized(rest)], left, count);
  return {
    ...fields,
    [factsField]: [...others, renderLedger(kept)].filter((line) => line !== '').join('\n'),
  };
}

const isLedger = (line: string): boolean => renderLedger(parseLedger(line)) === line;
const byUse = (a: LedgerEntry, b: LedgerEntry): number => b.uses - a.uses || b.seq - a.seq;

import type { CountTokens } from '../tokens/counter.js';
import { renderLedger, type LedgerEntry } from './ledger-text.js';

/** Values in a row that may be too long for what is left before the rest is not tried any more. */
const maxMisses = 20;

export interface Candidate {
  entry: LedgerEntry;
  tokens: number;
}

/** The entries that fit into `room` tokens once rendered, in the order of the candidates. */
export function fitLedger(candidates: Iterable<Candidate>, room: number, count: CountTokens): LedgerEntry[] {
  const chosen: LedgerEntry[] = [];
  const seqs = new Set<number>();
  let left = room;
  let misses = 0;
  for (const { entry, tokens } of candidates) {
    const cost = tokens + 1 + (seqs.has(entry.seq) ? 0 : 3);
    if (cost > left && ++misses > maxMisses) break;
    if (cost > left) continue;
    left -= cost;
    seqs.add(entry.seq);
    chosen.push(entry);
  }
  // Tokens of the parts are an estimate of those of the whole.
  while (chosen.length > 0 && count(renderLedger(chosen)) > room)
    chosen.length = Math.floor(chosen.length * 0.95);
  return chosen;
}

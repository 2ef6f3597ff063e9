import type { Body, Entry, Role } from '@spillway/engine';
import type { EntryRow } from '@spillway/store';

/** A message row as the engine sees it. */
export const entryOf = (row: EntryRow): Entry => ({
  seq: row.seq,
  role: row.role as Role,
  tokens: row.tokens,
  pinned: row.pinned,
  calls: row.calls === null ? [] : (JSON.parse(row.calls) as string[]),
  answers: row.answers === null ? null : (JSON.parse(row.answers) as string),
});

export const bodyOf = (row: { body: string }): Body => JSON.parse(row.body) as Body;

/** Seqs 1..through. */
export const seqsThrough = (through: number): number[] => Array.from({ length: through }, (_, i) => i + 1);

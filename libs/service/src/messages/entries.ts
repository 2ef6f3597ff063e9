import type { Body, Entry, FormatName, Hold, Role, Stored } from '@spillway/engine';
import type { BodyRow, EntryRow } from '@spillway/store';

/** A message row as an entry of the engine. */
export const entryOf = (row: EntryRow): Entry => ({
  seq: row.seq,
  role: row.role as Role,
  tokens: row.tokens,
  pinned: row.pinned,
  calls: row.calls === null ? [] : (JSON.parse(row.calls) as string[]),
  answers: row.answers === null ? [] : [JSON.parse(row.answers) as string | string[]].flat(),
  images: row.images,
  item: row.format === 'responses',
  ...(row.hold === null ? {} : { hold: { name: row.hold as Hold, tokens: row.holdTokens ?? row.tokens } }),
});

/** A message's body with the format it was posted in. */
export const storedOf = (row: { body: string; format: string }): Stored => ({
  format: row.format as FormatName,
  body: JSON.parse(row.body) as Body,
});

/** A message as contexts need it: what decides whether it is shown, and what it shows. */
export interface WindowMessage {
  entry: Entry;
  stored: Stored;
  /** References to its media, as JSON; null without any. */
  media: string | null;
  /** Characters of its row, which a token may have any number of: a signature counts none. */
  length: number;
}

export const windowMessage = (row: EntryRow & BodyRow): WindowMessage => ({
  entry: entryOf(row),
  stored: storedOf(row),
  media: row.media,
  length: row.body.length + (row.media?.length ?? 0),
});

/** Seqs 1..through. */
export const seqsThrough = (through: number): number[] => Array.from({ length: through }, (_, i) => i + 1);

import { readMessage, seqMessage } from '@spillway/engine';
import type { Body, Entry, FormatName, Hold, Role, SeqMessage, Stored } from '@spillway/engine';
import type { BodyRow, EntryRow } from '@spillway/store';

/** A message row as an entry of the engine. */
export function entryOf(row: EntryRow): Entry {
  const { own: calls, ofProvider: runs } = idsIn(row.calls);
  const { own: answers, ofProvider: ran } = idsIn(row.answers);
  return {
    seq: row.seq,
    role: row.role as Role,
    tokens: row.tokens,
    pinned: row.pinned,
    calls,
    answers,
    ...(runs.length > 0 ? { runs } : {}),
    ...(ran.length > 0 ? { ran } : {}),
    images: row.images,
    item: row.format === 'responses',
    ...(row.hold === null ? {} : { hold: { name: row.hold as Hold, tokens: row.holdTokens ?? row.tokens } }),
  };
}

/** A call that the provider runs, among the ids of a column. */
interface OfProvider {
  provider: string;
}

/** Ids of calls or of answered calls as a column holds them; null for none. */
export function idsAsJson(own: readonly string[], ofProvider: readonly string[] = []): string | null {
  const ids = [...own, ...ofProvider.map((provider): OfProvider => ({ provider }))];
  return ids.length > 0 ? JSON.stringify(ids) : null;
}

const none = { own: [], ofProvider: [] };

function idsIn(json: string | null): { own: string[]; ofProvider: string[] } {
  if (json === null) return none;
  // Old rows have one id as a JSON string.
  const ids = [JSON.parse(json) as string | (string | OfProvider)[]].flat();
  return {
    own: ids.filter((id) => typeof id === 'string'),
    ofProvider: ids.flatMap((id) => (typeof id === 'string' ? [] : [id.provider])),
  };
}

/** A message's body with the format it was posted in. */
export const storedOf = (row: { body: string; format: string }): Stored => ({
  format: row.format as FormatName,
  body: JSON.parse(row.body) as Body,
});

/** A row as a message of the engine, with when it was sent, or else recorded. */
export const seqMessageOf = (row: BodyRow & { sentAt: Date | null; createdAt: Date }): SeqMessage =>
  seqMessage(row.seq, readMessage(storedOf(row)), row.sentAt ?? row.createdAt);

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

import { mediaMarkIn, readMessage, type Body, type FormatName } from '@spillway/engine';
import { restoredTables } from '@spillway/store';
import { z } from 'zod';
import { placeOf, type MediaReference } from '../messages/media/take-media.js';
import { refuseBackup, type RowLine } from './backup-line.js';
import { refuseComplex } from './complexity.js';

/** Columns with JSON as text, which is parsed whenever their row is read. */
const jsonColumns = [
  'answers',
  'body',
  'calls',
  'fields',
  'frame',
  'holds',
  'instructions',
  'media',
  'metadata',
  'original',
  'policy',
  'tools',
];

/** Shorter texts have not enough values to matter. */
const minLength = 100_000;

/** Refuses a row that no backup has, or that nobody could read. Throws `invalid_request`. */
export function refuseBadRow(table: string, row: RowLine['row']): void {
  if (table !== 'threads' && !restoredTables.has(table))
    refuseBackup(`it has rows of ${table}, which no backup holds.`);
  if ('project_id' in row || 'thread_uid' in row)
    refuseBackup(`a row of ${table} names its project or its thread.`);
  for (const column of jsonColumns) {
    const value = row[column];
    if (typeof value === 'string' && value.length > minLength)
      refuseComplex(Buffer.from(value), `the column ${column} of ${table}`);
  }
  if (table === 'messages') refuseUnreadable(row);
}

const references = z.array(
  z.object({
    path: z.array(z.union([z.string(), z.number().int().min(0)])).min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    extension: z.string().regex(/^[a-z0-9]{1,8}$/),
    prefix: z.string(),
  }),
);

/** A message that cannot be read would break every context of its thread. */
function refuseUnreadable({ seq, format, body, media }: RowLine['row']): void {
  try {
    const posted = JSON.parse(String(body)) as unknown;
    if (typeof posted !== 'object' || posted === null || Array.isArray(posted))
      throw new TypeError('not an object');
    readMessage({ format: format as FormatName, body: posted as Body });
    const named = references.parse(JSON.parse(z.string().parse(media ?? '[]')));
    const misplaced = named.find((reference) => !marks(posted as Body, reference));
    if (misplaced !== undefined) throw new TypeError('media without their mark');
  } catch (error) {
    refuseBackup(`message ${String(seq)} cannot be read.`, error);
  }
}

/** Whether the body has the mark of these media where they belong. */
function marks(body: Body, { path, sha256 }: MediaReference): boolean {
  const place = placeOf(body, path);
  const text = place?.[path.at(-1)!];
  return typeof text === 'string' && mediaMarkIn(text) !== undefined && text.includes(sha256);
}

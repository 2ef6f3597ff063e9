import { createHash } from 'node:crypto';
import { currentScope } from '../connection/scope.js';
import type { Query } from '../connection/store.js';
import { backupTables } from './backup-tables.js';

/** The names of the tables whose rows may be restored with a thread. */
export const restoredTables: ReadonlySet<string> = new Set([
  'messages',
  ...backupTables.map(({ name }) => name),
]);

export type Row = Readonly<Record<string, unknown>>;

/** Rows of a backup name a column that this server does not have: it was made by a newer one. */
export class UnknownColumn extends Error {
  constructor(
    readonly table: string,
    readonly column: string,
  ) {
    super(`The table ${table} has no column ${column}.`);
  }
}

/**
 * Inserts the row of a thread. Receivers of events learn from it that the thread is there; the rows that follow in the
 * same transaction tell nobody anything, and one entry of the audit log stands for all of them.
 */
export async function restoreThreadRow(query: Query, projectId: string, row: Row & { id: string }) {
  const { forked_from: forkedFrom = null, fork_seq: forkSeq = null, ...first } = row;
  await insertRows(query, 'threads', { project_id: projectId }, [first]);
  await query(
    {
      name: 'audit-restored',
      text: `INSERT INTO audit_log (project_id, actor, action, target) VALUES ($1, $2, 'thread.restored', $3)`,
    },
    [projectId, currentScope().actor, row.id],
  );
  // Until the end of the transaction; see the migration restored_threads.
  await query({ name: 'restore-quietly', text: `SELECT set_config('spillway.restoring', $1, true)` }, [
    row.id,
  ]);
  // Not with the row: a fork that is restored was not forked now, nor from what has the id of its parent here.
  if (forkedFrom !== null)
    await query(
      {
        name: 'restore-forked-from',
        text: 'UPDATE threads SET forked_from = $3, fork_seq = $4 WHERE project_id = $1 AND id = $2',
      },
      [projectId, row.id, forkedFrom, forkSeq],
    );
}

/** Inserts rows of one table of a thread. Throws `UnknownColumn`. */
export const restoreRows = (
  query: Query,
  of: { projectId: string; threadUid: string },
  table: string,
  rows: readonly Row[],
): Promise<void> => insertRows(query, table, { project_id: of.projectId, thread_uid: of.threadUid }, rows);

/**
 * The columns are those of the first row: rows of a table have the same ones. Others get their defaults. `leave` names
 * the columns by which a row is known that is there already, and is left as it is.
 */
export async function insertRows(
  query: Query,
  table: string,
  own: Readonly<Record<string, string>>,
  rows: readonly Row[],
  leave?: string,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).sort();
  if (columns.length === 0) return;
  const known = await columnsOf(query, table);
  const unknown = columns.find((column) => !known.has(column));
  if (unknown !== undefined) throw new UnknownColumn(table, unknown);
  const owned = Object.keys(own);
  const values = owned.map((column, i) => `$${i + 1}::${known.get(column)!}`);
  const text = `INSERT INTO ${table} (${[...owned, ...columns].join(', ')})
    SELECT ${[...values, ...columns.map((column) => `r.${column}`)].join(', ')}
    FROM jsonb_populate_recordset(NULL::${table}, $${owned.length + 1}::jsonb) r
    ${leave === undefined ? '' : `ON CONFLICT (${leave}) DO NOTHING`}`;
  const name = `restore-${table}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  await query({ name, text }, [...Object.values(own), JSON.stringify(rows)]);
}

/** The columns of a table and their types, as the database has them. */
async function columnsOf(query: Query, table: string): Promise<Map<string, string>> {
  const rows = await query<{ name: string; type: string }>(
    {
      name: 'columns-of',
      text: `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
        WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    },
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/**
 * Outputs live as long from now on as they had to live when the backup was made: an older backup would otherwise lose
 * them with the next sweep.
 */
export const prolongOutputs = (
  query: Query,
  { projectId, threadUid, madeAt }: { projectId: string; threadUid: string; madeAt: Date },
) =>
  query(
    {
      name: 'prolong-restored-outputs',
      text: `UPDATE outputs SET expires_at = expires_at + greatest(now() - $3::timestamptz, interval '0')
        WHERE project_id = $1 AND thread_uid = $2 AND state = 'ready'`,
    },
    [projectId, threadUid, madeAt],
  );

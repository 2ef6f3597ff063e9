import type { Query } from '../connection/store.js';
import { countWithin, messageSizes } from '../sql/messages/message-sizes.js';
import { oneByOne } from '../sql/messages/unnested.js';
import { rowVersionOf } from '../threads/thread-row.js';
import { backupTables, threadColumnsOfServer, type BackupTable } from './backup-tables.js';

/** A row of a backup, as JSON. */
export interface BackupRow {
  table: string;
  row: string;
}

/** What a backup of a thread begins with. */
export interface BackupHead {
  uid: string;
  /** Tells whether the thread changed since. */
  rowVersion: string;
  /** By the database's clock. */
  madeAt: Date;
}

export interface MediaOfThread {
  sha256: string;
  extension: string;
  bytes: number;
}

const messagesAtOnce = 200;
const bytesAtOnce = 512 * 1024;

/** Makes a transaction see one state of the database, whatever commits meanwhile. Must be its first statement. */
export const beginSnapshot = (query: Query) =>
  query({ name: 'begin-snapshot', text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' }, []);

/** The row of a thread without what belongs to its server; undefined for unknown and erased ones. */
export async function readThreadBackup(query: Query, projectId: string, id: string) {
  const rows = await query<BackupHead & { row: string }>(
    {
      name: 'read-thread-backup',
      text: `SELECT t.uid, ${rowVersionOf('t')} AS "rowVersion", now() AS "madeAt", (to_jsonb(t) - $3::text[])::text AS row
        FROM threads t WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`,
    },
    [projectId, id, threadColumnsOfServer],
  );
  return rows[0];
}

/** The rows of a thread, its messages first. Memory is bounded, whatever the size of the thread. */
export async function* readBackupRows(
  query: Query,
  of: { projectId: string; threadUid: string },
): AsyncGenerator<BackupRow> {
  yield* messageRows(query, of);
  for (const table of backupTables) yield* tableRows(query, of, table);
}

async function* messageRows(
  query: Query,
  { projectId, threadUid }: { projectId: string; threadUid: string },
): AsyncGenerator<BackupRow> {
  for (let after = 0; ;) {
    const range = { projectId, threadUid, after, before: 2_147_483_647, limit: messagesAtOnce };
    const sizes = await messageSizes(query, range);
    if (sizes.length === 0) return;
    const through = sizes[countWithin(sizes, bytesAtOnce) - 1]!.seq;
    const rows = await query<{ row: string }>(
      {
        name: 'read-backup-messages',
        text: `SELECT (to_jsonb(m) - '{project_id,thread_uid}'::text[])::text AS row FROM messages m
          WHERE m.project_id = $1 AND m.thread_uid = $2 AND m.seq > $3 AND m.seq <= $4 ORDER BY m.seq`,
      },
      [projectId, threadUid, after, through],
    );
    for (const { row } of rows) yield { table: 'messages', row };
    after = through;
  }
}

const ownRows = 'r.thread_uid = $2';

/**
 * A fork has the outputs that it shares in its backup too. The backups of all threads that share an output mark it:
 * whichever is restored first owns it. An upload whose message was not posted is nothing of the thread yet.
 */
const outputsOfThread = {
  mark: ` || CASE WHEN r.thread_uid <> $2
      OR EXISTS (SELECT FROM output_uses u WHERE u.project_id = $1 AND u.output_id = r.id ${oneByOne})
    THEN '{"shared": true}' ELSE '{}' END::jsonb`,
  isOfThread: `(${ownRows} AND r.state <> 'staging' OR r.id IN (SELECT u.output_id FROM output_uses u
    WHERE u.project_id = $1 AND u.thread_uid = $2))`,
};

async function* tableRows(
  query: Query,
  { projectId, threadUid }: { projectId: string; threadUid: string },
  { name, key, keyType, atOnce, without }: BackupTable,
): AsyncGenerator<BackupRow> {
  const { mark, isOfThread } = name === 'outputs' ? outputsOfThread : { mark: '', isOfThread: ownRows };
  for (let after: number | string | null = null; ;) {
    const rows: { key: number | string; row: string }[] = await query(
      {
        name: `read-backup-${name}`,
        text: `SELECT r.${key} AS key, (to_jsonb(r) - $3::text[]${mark})::text AS row FROM ${name} r
          WHERE r.project_id = $1 AND ${isOfThread} AND ($4::${keyType} IS NULL OR r.${key} > $4::${keyType})
          ORDER BY r.${key} LIMIT $5`,
      },
      [projectId, threadUid, ['project_id', 'thread_uid', ...without], after, atOnce],
    );
    for (const { row } of rows) yield { table: name, row };
    if (rows.length < atOnce) return;
    after = rows.at(-1)!.key;
  }
}

/** The media that messages of a thread use. */
export const mediaOfThread = (query: Query, projectId: string, threadUid: string) =>
  query<MediaOfThread>(
    {
      name: 'media-of-thread',
      text: `SELECT m.sha256, m.extension, m.bytes FROM media_uses u
        JOIN media m ON m.project_id = u.project_id AND m.sha256 = u.sha256
        WHERE u.project_id = $1 AND u.thread_uid = $2 ORDER BY m.sha256`,
    },
    [projectId, threadUid],
  );

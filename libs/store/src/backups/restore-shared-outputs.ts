import type { Query } from '../connection/store.js';
import { insertRows, type Row } from './restore-rows.js';

/** The project has an output with the id of one that arrives, and it is another one. */
export class OutputTaken extends Error {}

interface RestoredThread {
  projectId: string;
  threadUid: string;
  /** The thread gets another id than it had when it was backed up. */
  isRenamed: boolean;
}

/**
 * Inserts outputs that the backup marks as shared, or makes the thread a user of those that the project has already.
 * Returns the ids of these, whose own bytes are not needed. Throws `OutputTaken`.
 */
export async function restoreSharedOutputs(
  query: Query,
  of: RestoredThread,
  rows: readonly Row[],
): Promise<string[]> {
  const own = { project_id: of.projectId, thread_uid: of.threadUid };
  // Waits for a restore of another thread that inserts the same ones.
  await insertRows(query, 'outputs', own, rows, 'project_id, id');
  const known = await ofOthers(query, of, rows);
  const used = new Set<string>();
  for (let before: string | null = null; used.size < known.length;) {
    const owners = await lockOwners(query, of.projectId, known);
    for (const id of await useOutputs(query, of, { rows, known, owners })) used.add(id);
    // An erasure that was waited for may have given outputs to another owner.
    if (used.size < known.length && owners.join() === before) throw new OutputTaken();
    before = owners.join();
  }
  return known;
}

async function ofOthers(query: Query, of: RestoredThread, rows: readonly Row[]): Promise<string[]> {
  const found = await query<{ id: string }>(
    {
      name: 'restored-outputs-of-others',
      text: `SELECT id FROM outputs WHERE project_id = $1 AND id = ANY($3) AND thread_uid IS DISTINCT FROM $2::uuid`,
    },
    [of.projectId, of.threadUid, rows.map(({ id }) => id)],
  );
  return found.map(({ id }) => id);
}

/** As a fork does: an erasure of an owner, which hands outputs over, comes before or after. */
async function lockOwners(query: Query, projectId: string, outputs: readonly string[]): Promise<string[]> {
  const rows = await query<{ uid: string }>(
    {
      name: 'lock-output-owners',
      text: `SELECT t.uid FROM threads t WHERE t.project_id = $1 AND t.deleted_at IS NULL
          AND t.uid IN (SELECT o.thread_uid FROM outputs o WHERE o.project_id = $1 AND o.id = ANY($2))
        ORDER BY t.uid FOR KEY SHARE`,
    },
    [projectId, outputs],
  );
  return rows.map(({ uid }) => uid);
}

/**
 * Only equal outputs are used: whoever writes a backup could otherwise reach those of any thread by their ids. A thread
 * that was created at the same moment and has another id is the same one, restored before, unless this one has its own
 * id: forks may be made at once.
 */
async function useOutputs(
  query: Query,
  { projectId, threadUid, isRenamed }: RestoredThread,
  { rows, known, owners }: { rows: readonly Row[]; known: readonly string[]; owners: readonly string[] },
): Promise<string[]> {
  const used = await query<{ id: string }>(
    {
      name: 'use-restored-outputs',
      text: `INSERT INTO output_uses (project_id, output_id, thread_uid, seq)
        SELECT o.project_id, o.id, own.uid, o.seq
        FROM threads own, jsonb_populate_recordset(NULL::outputs, $3::jsonb) r
        JOIN outputs o ON o.project_id = $1 AND o.id = r.id AND o.sha256 = r.sha256 AND o.bytes = r.bytes AND o.seq = r.seq
        WHERE own.project_id = $1 AND own.uid = $2 AND o.id = ANY($4) AND o.thread_uid = ANY($5::uuid[])
          AND o.state <> 'staging' AND o.sha256 <> ''
          AND NOT ($6 AND EXISTS (SELECT FROM threads t WHERE t.project_id = $1 AND t.created_at = own.created_at
            AND t.uid <> own.uid AND (t.uid = o.thread_uid OR EXISTS (SELECT FROM output_uses u
              WHERE u.project_id = $1 AND u.output_id = o.id AND u.thread_uid = t.uid))))
        ON CONFLICT DO NOTHING RETURNING output_id AS id`,
    },
    [projectId, threadUid, JSON.stringify(rows), known, owners, isRenamed],
  );
  return used.map(({ id }) => id);
}

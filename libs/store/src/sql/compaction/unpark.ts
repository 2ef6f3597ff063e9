import type { Query } from '../../connection/store.js';
import { hintedColumns, type HintedThread } from '../../threads/thread-row.js';

/** See due-since.ts. A thread that is no longer over its trigger is idle once it is unparked, and waits for nothing. */
const waitsFromNow = 'CASE WHEN t.needs_compaction THEN now() END';

/** Maximum of threads per statement, which ends in time on a slow disk, too: each thread writes its row, an event and an audit entry. */
const batch = 1_000;

/** Maximum of threads returned: hints at more add nothing, since workers find the others in Postgres. */
const maxReturned = 200;

type Unparked = HintedThread & { count: number };

/** Unparks some of these threads, and returns a few of them with the number of all. */
const unpark = (threads: string): string => `WITH parked AS MATERIALIZED (
  SELECT project_id, uid FROM threads WHERE ${threads} AND deleted_at IS NULL LIMIT ${batch} FOR UPDATE
), unparked AS (
  UPDATE threads AS t SET park_reason = NULL, requested_at = ${waitsFromNow}, next_attempt_at = NULL, attempt = 0, lost_attempts = 0
  FROM parked WHERE t.project_id = parked.project_id AND t.uid = parked.uid RETURNING ${hintedColumns('t')}
)
SELECT *, (SELECT count(*)::int FROM unparked) AS count FROM unparked LIMIT ${maxReturned}`;

/** Repeats a statement until it has unparked all. */
async function inBatches(next: () => Promise<Unparked[]>): Promise<{ first: HintedThread[]; total: number }> {
  const first = await next();
  let count = first[0]?.count ?? 0;
  let total = count;
  while (count === batch) {
    count = (await next())[0]?.count ?? 0;
    total += count;
  }
  return { first, total };
}

/** Makes threads parked for this reason due again, in every project. Returns how many. */
export async function unparkAll(query: Query, reason: string): Promise<number> {
  const statement = { name: 'unpark-all', text: unpark('park_reason = $1') };
  const { total } = await inBatches(() => query<Unparked>(statement, [reason]));
  return total;
}

/**
 * Makes threads of a project due again that were parked for one of these reasons: its windows or its policy changed. Part
 * of the transaction with that change, for nobody would do it later. Returns at most 200 of the threads.
 */
export async function unparkOfProject(
  query: Query,
  projectId: string,
  reasons: readonly string[],
): Promise<HintedThread[]> {
  const statement = {
    name: 'unpark-of-project',
    text: unpark('project_id = $1 AND park_reason = ANY($2)'),
  };
  const { first } = await inBatches(() => query<Unparked>(statement, [projectId, reasons]));
  return first;
}

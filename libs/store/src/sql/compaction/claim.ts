import type { Query } from '../../connection/store.js';
import { isPaused } from '../../access/compaction-pause.js';
import { awaitsApproval } from './decide-proposal.js';
import { threadColumns, type ThreadRow } from '../../threads/thread-row.js';

export interface Claim {
  projectId: string;
  threadId: string;
  owner: string;
  leaseMs: number;
  /** Until a fold that could not be prepared is tried again. */
  prepareAgainMs: number;
  /** The trace of this attempt, if it is traced. */
  traceId?: string | null;
}

/**
 * Takes the lease on a thread that is due, or whose next fold may be made ahead. Guarantees: one holder at a time while
 * leases are renewed; the attempt is counted here, so a thread that crashes its workers is counted too; a claim that
 * never reported an outcome is recorded as lost. A thread whose proposed summary waits for an approval is taken only
 * when somebody requests a compaction or it has waited too long, and none while the operator pauses compaction. The
 * lease saves money; the commit is safe without it: see commit.ts. The kind of a request is its first field. Its text
 * is not read as JSON here: a text in its policy that Postgres cannot store, such as one with NUL, would let every
 * claim of the thread fail.
 */
const text = `
WITH thread AS (
  UPDATE threads AS t SET lease_owner = $3, lease_until = now() + $4::int * interval '1 ms',
    lease_epoch = t.lease_epoch + 1, attempt = t.attempt + 1, lost_attempts = t.lost_attempts + 1,
    prepare_at = CASE WHEN t.needs_compaction THEN t.prepare_at ELSE now() + $5::int * interval '1 ms' END
  WHERE t.project_id = $1 AND t.id = $2 AND (t.needs_compaction OR t.prepare_at <= now()) AND t.deleted_at IS NULL AND t.park_reason IS NULL
    AND (t.lease_until IS NULL OR t.lease_until <= now())
    AND (t.next_attempt_at IS NULL OR t.next_attempt_at <= now())
    AND NOT ${awaitsApproval('t')} AND NOT ${isPaused('$1::uuid')}
  RETURNING t.*
), lost AS (
  UPDATE compaction_attempts SET outcome = 'lost', ended_at = now()
  WHERE project_id = $1 AND thread_uid = (SELECT uid FROM thread) AND outcome IS NULL
), started AS (
  INSERT INTO compaction_attempts (project_id, thread_uid, epoch, trace_id, trigger)
  SELECT $1::uuid, uid, lease_epoch, $6, coalesce(substring(request FROM '^[{]"kind":"([a-z]+)"'), CASE WHEN needs_compaction THEN 'automatic' ELSE 'ahead' END) FROM thread
)
SELECT ${threadColumns('thread')} FROM thread`;

export async function claim(query: Query, c: Claim): Promise<ThreadRow | undefined> {
  const rows = await query<ThreadRow>({ name: 'claim', text }, [
    c.projectId,
    c.threadId,
    c.owner,
    c.leaseMs,
    c.prepareAgainMs,
    c.traceId ?? null,
  ]);
  return rows[0];
}

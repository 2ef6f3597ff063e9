import { isPaused } from '../../access/compaction-pause.js';
import type { Query } from '../../connection/store.js';

/**
 * Renews a lease. False when it was lost or released, the covered text changed, or the operator paused compaction: the
 * attempt cannot commit and should stop spending. A heartbeat that arrives after its attempt ended does not renew, which
 * would block the next worker.
 */
export async function heartbeat(
  query: Query,
  lease: { projectId: string; threadUid: string; epoch: number; contentVersion: number; leaseMs: number },
): Promise<boolean> {
  const rows = await query(
    {
      name: 'heartbeat',
      text: `UPDATE threads SET lease_until = now() + $5::int * interval '1 ms'
        WHERE project_id = $1 AND uid = $2 AND lease_epoch = $3 AND content_version = $4 AND deleted_at IS NULL
          AND lease_until IS NOT NULL AND NOT ${isPaused('$1::uuid')}
        RETURNING uid`,
    },
    [lease.projectId, lease.threadUid, lease.epoch, lease.contentVersion, lease.leaseMs],
  );
  return rows.length === 1;
}

import type { Query } from '../../connection/store.js';
import { rowVersionOf, threadColumns } from '../../threads/thread-row.js';
import type { VersionedRow } from '../threads/read-thread.js';

export interface Measure {
  projectId: string;
  uid: string;
  policyVersion: number;
  measuredRatio: number;
  /** The resulting trigger. */
  triggerTokens: number;
}

/**
 * Stores the measured ratio until the next compaction adopts it. Only the trigger follows at once: a thread that is
 * over it becomes due. Returns undefined when another change came first.
 */
export async function measureCalibration(query: Query, m: Measure): Promise<VersionedRow | undefined> {
  const isOver = '(t.summary_enabled AND t.live_tokens >= $5::int)';
  const rows = await query<VersionedRow>(
    {
      name: 'measure-calibration',
      text: `UPDATE threads AS t SET measured_ratio = $4::float8, trigger_tokens = $5::int,
          policy_version = t.policy_version + 1, needs_compaction = t.needs_compaction OR ${isOver},
          requested_at = CASE WHEN ${isOver} THEN coalesce(t.requested_at, now()) ELSE t.requested_at END
        WHERE t.project_id = $1 AND t.uid = $2 AND t.policy_version = $3 AND t.deleted_at IS NULL
        RETURNING ${threadColumns('t')}, ${rowVersionOf('t')} AS "rowVersion"`,
    },
    [m.projectId, m.uid, m.policyVersion, m.measuredRatio, m.triggerTokens],
  );
  return rows[0];
}

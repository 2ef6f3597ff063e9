import type { Query } from '../connection/store.js';
import { dueSince } from '../sql/compaction/due-since.js';
import { queueStateOf, type QueueState } from '../sql/compaction/queue-state.js';
import { threadColumns, type ThreadRow } from './thread-row.js';

export interface ThreadSettings {
  model: string | null;
  system: string | null;
  tools: string | null;
  format: string | null;
  calibration: number;
  measuredRatio: number;
  metadata: string;
  policy: string;
  contextWindow: number;
  limitTokens: number;
  triggerTokens: number;
  summaryEnabled: boolean;
}

const settings = (s: ThreadSettings) => [
  s.model,
  s.system,
  s.metadata,
  s.policy,
  s.contextWindow,
  s.limitTokens,
  s.triggerTokens,
  s.summaryEnabled,
  s.tools,
  s.calibration,
  s.measuredRatio,
  s.format,
];

/**
 * Creates a thread. Returns undefined when the project has one with that id, erased ones included, or when its settings
 * changed since the thread was weighed.
 */
export async function insertThread(
  query: Query,
  thread: ThreadSettings & {
    projectId: string;
    uid: string;
    id: string;
    liveTokens: number;
    /** The settings version that they were weighed under. */
    weighedVersion: number;
  },
): Promise<ThreadRow | undefined> {
  const rows = await query<ThreadRow>(
    {
      name: 'insert-thread',
      text: `INSERT INTO threads AS t (project_id, uid, id, live_tokens, model, system, metadata, policy,
          context_window, limit_tokens, trigger_tokens, summary_enabled, tools, calibration, measured_ratio, format, weighed_version)
        SELECT $1::uuid, $2::uuid, $3::text, $4::int, $5::text, $6::text, $7::text, $8::text, $9::int, $10::int, $11::int, $12::bool,
          $13::text, $14::float8, $15::float8, $16::text, $17::int
        WHERE (SELECT settings_version FROM projects WHERE id = $1::uuid) = $17::int
        ON CONFLICT (project_id, id) DO NOTHING RETURNING ${threadColumns('t')}`,
    },
    [thread.projectId, thread.uid, thread.id, thread.liveTokens, ...settings(thread), thread.weighedVersion],
  );
  return rows[0];
}

/**
 * Changes a thread's settings; `liveDelta` is the change by the system prompt. The thread becomes due, or stops being
 * due, under the new trigger. Its messages must be weighed again under the new limit: see weighAgain. Returns undefined
 * when another change came first.
 */
export async function updateThread(
  query: Query,
  key: { projectId: string; uid: string; policyVersion: number },
  change: ThreadSettings & { liveDelta: number },
): Promise<ThreadRow | undefined> {
  const unparks = `t.park_reason IN ('irreducible', 'rejected', 'undone', 'declined')`;
  const due = '(t.request IS NOT NULL OR $11::bool AND t.live_tokens + $16::int >= $10::int)';
  const rows = await query<ThreadRow>(
    {
      name: 'update-thread',
      text: `UPDATE threads AS t SET model = $4::text, system = $5::text, metadata = $6::text, policy = $7::text,
          context_window = $8::int, limit_tokens = $9::int, trigger_tokens = $10::int, summary_enabled = $11::bool,
          tools = $12::text, calibration = $13::float8, measured_ratio = $14::float8, format = $15::text,
          request_tokens = 0, weighed_version = 0, live_tokens = t.live_tokens + $16::int, policy_version = t.policy_version + 1,
          needs_compaction = ${due}, requested_at = CASE WHEN ${due} THEN ${dueSince('t', unparks)} END,
          park_reason = CASE WHEN ${unparks} THEN NULL ELSE t.park_reason END, updated_at = now()
        WHERE t.project_id = $1 AND t.uid = $2 AND t.policy_version = $3 AND t.deleted_at IS NULL
        RETURNING ${threadColumns('t')}`,
    },
    [key.projectId, key.uid, key.policyVersion, ...settings(change), change.liveDelta],
  );
  return rows[0];
}

export interface UnsettledFilter {
  projectId: string;
  state?: QueueState;
  /** Of parked threads: why. */
  reason?: string;
  limit: number;
}

/** Threads that are due, running, backing off, parked or wait for an approval, the longest waiting first. */
export const listUnsettled = (query: Query, f: UnsettledFilter): Promise<ThreadRow[]> =>
  query<ThreadRow>(
    {
      name: 'list-unsettled',
      text: `SELECT ${threadColumns('t')} FROM threads t
        WHERE t.project_id = $1 AND t.deleted_at IS NULL AND (t.needs_compaction OR t.park_reason IS NOT NULL)
          AND ($3::text IS NULL OR ${queueStateOf('t')} = $3) AND ($4::text IS NULL OR t.park_reason = $4)
        ORDER BY t.requested_at NULLS LAST, t.uid LIMIT $2`,
    },
    [f.projectId, f.limit, f.state ?? null, f.reason ?? null],
  );

import type { Query } from '../../connection/store.js';

interface Proposal {
  projectId: string;
  threadId: string;
  generation: number;
}

/**
 * A proposal waits until its thread is half-way from the trigger to the limit: without a summary, contexts would soon
 * leave messages out.
 */
const isOverdue = (t: string): string => `${t}.live_tokens >= (${t}.trigger_tokens + ${t}.limit_tokens) / 2`;

/** The condition under which thread `t` waits for a person: no worker takes it until then. */
export const awaitsApproval = (t: string): string =>
  `(${t}.prepared_state IS NOT DISTINCT FROM 'proposed' AND ${t}.request IS NULL AND NOT ${isOverdue(t)})`;

/** In place of the settings that a summary was planned under: somebody approved it, so it holds under all settings. */
export const approvedVersion = -1;

/**
 * Approves a proposed summary: a worker puts it in place as it is. The thread is due from now on: before, it waited for
 * a person. The approval holds although the project's settings changed since the proposal, or change before a worker
 * puts it in place. False when it is no longer the proposal of the thread.
 */
export async function approveProposal(query: Query, { projectId, threadId, generation }: Proposal) {
  const rows = await query(
    {
      name: 'approve-proposal',
      text: `
WITH thread AS (
  UPDATE threads AS t SET prepared_state = 'prepared', needs_compaction = true,
    requested_at = now(), park_reason = NULL, next_attempt_at = NULL, attempt = 0,
    lost_attempts = 0, updated_at = now()
  WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.prepared_generation = $3::int
    AND t.prepared_state = 'proposed'
  RETURNING t.uid
), adopted AS (
  UPDATE prepared_summaries p SET settings_version = ${approvedVersion}
  FROM thread WHERE p.project_id = $1 AND p.thread_uid = thread.uid AND p.generation = $3::int
)
SELECT spillway_tell($1::uuid, uid, 'summary.approved', json_build_object('generation', $3::int)::text) FROM thread`,
    },
    [projectId, threadId, generation],
  );
  return rows.length === 1;
}

/**
 * Rejects a proposed summary, which is void then. A thread over its trigger is parked until it has grown: at once, it
 * would get the same proposal again. False when it is no longer the proposal of the thread.
 */
export async function rejectProposal(query: Query, { projectId, threadId, generation }: Proposal) {
  const due = 't.summary_enabled AND t.live_tokens >= t.trigger_tokens';
  const rows = await query(
    {
      name: 'reject-proposal',
      text: `
WITH thread AS (
  UPDATE threads AS t SET prepared_generation = 0,
    needs_compaction = t.request IS NOT NULL OR ${due},
    requested_at = CASE WHEN t.request IS NOT NULL OR ${due} THEN coalesce(t.requested_at, now()) END,
    park_reason = CASE WHEN t.request IS NULL AND ${due} THEN 'declined' END, parked_tokens = t.live_tokens,
    next_attempt_at = NULL, updated_at = now()
  WHERE t.project_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND t.prepared_generation = $3::int
    AND t.prepared_state = 'proposed'
  RETURNING t.uid
), audited AS (
  INSERT INTO audit_log (project_id, actor, action, target, detail)
  SELECT $1::uuid, coalesce(nullif(current_setting('spillway.actor', true), ''), 'service'), 'summary.rejected', $2::text,
    jsonb_build_object('generation', $3::int)::text FROM thread
)
SELECT spillway_tell($1::uuid, uid, 'summary.rejected', json_build_object('generation', $3::int)::text) FROM thread`,
    },
    [projectId, threadId, generation],
  );
  return rows.length === 1;
}

/** Whether this generation was proposed and is approved or rejected, as the audit log has it. */
export async function wasDecided(
  query: Query,
  { projectId, threadId, generation }: Proposal,
  decision: 'approved' | 'rejected',
) {
  const rows = await query(
    {
      name: 'was-decided',
      // An approval is audited by the trigger of the thread's row, which has the generation under its column's name.
      text: `SELECT 1 FROM audit_log WHERE project_id = $1 AND target COLLATE "C" = $2 AND action = 'summary.' || $4
        AND detail IN (jsonb_build_object('generation', $3::int)::text, jsonb_build_object('prepared_generation', $3::int)::text)
        LIMIT 1`,
    },
    [projectId, threadId, generation, decision],
  );
  return rows.length === 1;
}

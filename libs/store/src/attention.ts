import { fallbackWindow } from '@spillway/engine';
import type { Query } from './connection/store.js';
import { claimableSince, queueStateOf } from './sql/compaction/queue-state.js';

/** Something that needs attention, with a few of its threads. */
export interface ConcernRow {
  kind:
    | 'model_failing'
    | 'context_refused'
    | 'parked'
    | 'unknown_model'
    | 'summary_proposed'
    | 'chat_budget_spent'
    | 'key_budget_spent'
    | 'summary_budget_spent'
    | 'compaction_paused'
    | 'last_admin_key_expires'
    | 'history_not_found'
    | 'due_for_long'
    | 'backing_off_for_long'
    | 'near_limit'
    | 'outputs_corrupt'
    | 'outputs_expiring'
    | 'sweep_refused'
    | 'sweep_failed'
    | 'webhook_disabled'
    | 'webhook_failing';
  reason: string | null;
  count: number;
  /** A few; of parked threads more, of which the contexts are checked. */
  threads: string[];
}

/** Bounds the contexts that are built to answer one request. */
const maxChecked = 20;

/** What is longer, or nearer, than these is a concern and not transient. */
export interface ConcernThresholds {
  dueMs: number;
  backoffMs: number;
  webhookMs: number;
  expiringMs: number;
  /** Share of the limit. */
  nearLimit: number;
}

const few = (order: string, max = 5): string => `(array_agg(id ORDER BY ${order}))[1:${max}] AS threads`;
const ms = (parameter: string): string => `${parameter}::float8 * interval '1 ms'`;

/**
 * Threads whose compaction has a problem. Reads threads with pending work, through their index. `context_refused` are
 * parked threads whose live tokens exceed the limit; only their messages tell whether shortening would help. A thread
 * that waits after an undo goes on by itself.
 */
export const threadConcerns = (query: Query, projectId: string, limits: ConcernThresholds) =>
  query<ConcernRow>(
    {
      name: 'thread-concerns',
      text: `WITH unsettled AS (
          SELECT id, ${queueStateOf('t')} AS state, park_reason, requested_at, ${claimableSince('t')} AS claimable_since,
            live_tokens, limit_tokens
          FROM threads t WHERE project_id = $1 AND deleted_at IS NULL AND (needs_compaction OR park_reason IS NOT NULL))
        SELECT CASE WHEN park_reason = 'irreducible' AND live_tokens > limit_tokens THEN 'context_refused'
            ELSE 'parked' END AS kind, park_reason AS reason, count(*)::int AS count,
            ${few('requested_at, id', maxChecked)}
          FROM unsettled WHERE state = 'parked' AND park_reason NOT IN ('undone', 'declined') GROUP BY 1, 2
        UNION ALL
        SELECT 'due_for_long', NULL, count(*)::int, ${few('requested_at, id')}
          FROM unsettled WHERE state = 'due' AND claimable_since < now() - ${ms('$2')} HAVING count(*) > 0
        UNION ALL
        SELECT 'summary_proposed', NULL, count(*)::int, ${few('requested_at, id')}
          FROM unsettled WHERE state = 'proposed' HAVING count(*) > 0
        UNION ALL
        SELECT 'backing_off_for_long', NULL, count(*)::int, ${few('requested_at, id')}
          FROM unsettled WHERE state = 'backoff' AND requested_at < now() - ${ms('$3')} HAVING count(*) > 0
        UNION ALL
        SELECT 'near_limit', NULL, count(*)::int, ${few('live_tokens::float8 / limit_tokens DESC, id')}
          FROM unsettled WHERE state <> 'parked' AND live_tokens >= limit_tokens * $4::float8 HAVING count(*) > 0`,
    },
    [projectId, limits.dueMs, limits.backoffMs, limits.nearLimit],
  );

/** Threads of one model, or of none, with the window that an unknown model gets. */
export interface FallbackWindowRow {
  model: string | null;
  count: number;
  threads: string[];
  /** More threads have this window than were looked at. */
  atLeast: boolean;
  settingsVersion: number;
}

/** Maximum of threads looked at: a project may have any number of them. */
const maxFallbackWindows = 1_000;

/**
 * Threads that got a message within this time, have the window of an unknown model, and set none themselves, by model.
 * Looks at the newest threads with that window, through an index of them alone: its condition is repeated here. Whether
 * a model is unknown, and whether the project sets a window, is for the caller to find out.
 */
export const threadsOfFallbackWindow = (query: Query, projectId: string, recentMs: number) =>
  query<FallbackWindowRow>(
    {
      name: 'threads-of-fallback-window',
      text: `WITH newest AS (
          SELECT id, model, policy, next_seq, updated_at FROM threads
          WHERE project_id = $1 AND context_window = ${fallbackWindow} AND deleted_at IS NULL
          ORDER BY created_at DESC LIMIT ${maxFallbackWindows})
        SELECT model, count(*)::int AS count, ${few('updated_at DESC, id')},
          (SELECT count(*) FROM newest) = ${maxFallbackWindows} AS "atLeast",
          (SELECT settings_version FROM projects WHERE id = $1) AS "settingsVersion"
        FROM newest
        WHERE next_seq > 1 AND updated_at > now() - ${ms('$2')}
          AND policy::jsonb #>> '{context,context_window}' IS NULL
        GROUP BY model ORDER BY max(updated_at) DESC`,
    },
    [projectId, recentMs],
  );

/** Maximum of outputs counted: a project may let millions expire on one day. */
const maxOutputs = 1_000;

export const outputConcerns = (query: Query, projectId: string, limits: ConcernThresholds) =>
  query<ConcernRow>(
    {
      name: 'output-concerns',
      text: `WITH found AS (
          (SELECT 'outputs_corrupt' AS kind, thread_uid, expires_at FROM outputs
            WHERE project_id = $1 AND state = 'corrupt' LIMIT ${maxOutputs})
          UNION ALL
          (SELECT 'outputs_expiring', thread_uid, expires_at FROM outputs
            WHERE project_id = $1 AND state = 'ready' AND NOT pinned AND expires_at < now() + ${ms('$2')}
            ORDER BY expires_at LIMIT ${maxOutputs}))
        SELECT kind, NULL AS reason, count(*)::int AS count,
          array(SELECT id FROM (SELECT t.id, min(f.expires_at) AS first FROM found f
            JOIN threads t ON t.project_id = $1 AND t.uid = f.thread_uid
            WHERE f.kind = found.kind GROUP BY t.id ORDER BY 2 LIMIT 5) nearest ORDER BY first) AS threads
        FROM found GROUP BY kind`,
    },
    [projectId, limits.expiringMs],
  );

/** Sweeps of the storage that were refused or failed on the last day. */
export const sweepConcerns = (query: Query, projectId: string) =>
  query<ConcernRow>(
    {
      name: 'sweep-concerns',
      text: `SELECT 'sweep_refused' AS kind, (array_agg(refused ORDER BY started_at DESC))[1] AS reason,
          count(*)::int AS count, '{}'::text[] AS threads
        FROM sweeps WHERE project_id = $1 AND refused IS NOT NULL AND started_at > now() - interval '1 day'
        HAVING count(*) > 0
        UNION ALL
        SELECT 'sweep_failed', (array_agg(error ORDER BY started_at DESC))[1], count(*)::int, '{}'::text[]
        FROM sweeps WHERE project_id = $1 AND error IS NOT NULL AND started_at > now() - interval '1 day'
        HAVING count(*) > 0`,
    },
    [projectId],
  );

/**
 * Webhooks that were disabled after failures, without those that a person disabled, and those that fail. Their URLs
 * are left out: they may hold secrets, and a key that reads this may not read webhooks.
 */
export const webhookConcerns = (query: Query, projectId: string, limits: ConcernThresholds) =>
  query<ConcernRow>(
    {
      name: 'webhook-concerns',
      text: `SELECT 'webhook_disabled' AS kind, (array_agg(disabled_reason ORDER BY disabled_at DESC))[1] AS reason,
          count(*)::int AS count, '{}'::text[] AS threads
        FROM webhooks
        WHERE project_id = $1 AND disabled_at IS NOT NULL AND disabled_reason <> 'by_hand' HAVING count(*) > 0
        UNION ALL
        SELECT 'webhook_failing', NULL, count(*)::int, '{}'::text[]
        FROM webhooks
        WHERE project_id = $1 AND disabled_at IS NULL AND failing_since < now() - ${ms('$2')} HAVING count(*) > 0`,
    },
    [projectId, limits.webhookMs],
  );

/** Calls of the last day whose thread is found by their conversation, without those that begin one. */
export interface HistoryCalls {
  calls: number;
  notFound: number;
}

export async function historyCallsOfDay(query: Query, projectId: string): Promise<HistoryCalls> {
  const rows = await query<HistoryCalls>(
    {
      name: 'history-calls-of-day',
      text: `SELECT coalesce(sum(history_calls), 0)::float8 AS calls,
          coalesce(sum(history_calls_not_found), 0)::float8 AS "notFound"
        FROM usage_hours WHERE project_id = $1 AND hour > now() - interval '1 day'`,
    },
    [projectId],
  );
  return rows[0]!;
}

/** When a worker last began or ended an attempt. */
export async function lastAttemptAt(query: Query, projectId: string): Promise<Date | null> {
  const rows = await query<{ at: Date }>(
    {
      name: 'last-attempt-at',
      text: `SELECT coalesce(ended_at, started_at) AS at FROM compaction_attempts WHERE project_id = $1
        ORDER BY started_at DESC LIMIT 1`,
    },
    [projectId],
  );
  return rows[0]?.at ?? null;
}

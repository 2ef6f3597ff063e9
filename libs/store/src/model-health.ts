import type { Query } from './connection/store.js';

export interface ModelHealthRow {
  /** When a model last made a summary. */
  lastOkAt: Date | null;
  /** Attempts since then that failed because of the provider. */
  failures: number;
  failingSince: Date | null;
  lastFailureAt: Date | null;
  lastError: string | null;
  reason: string | null;
  /** Threads that wait for the provider, and the next retry. One whose last attempt failed for another reason does not. */
  waiting: number;
  nextTryAt: Date | null;
  threads: string[];
}

/** Older attempts say nothing about the provider's current state. */
const lookBack = `interval '7 days'`;

/** Reasons of attempts that failed because of the provider. */
const ofProvider = `('unavailable', 'rate_limited', 'auth')`;

/**
 * The last recorded attempt of the thread failed for a reason of its own, such as an answer that is no summary. One that
 * waits because other threads were refused records no attempt, or `paused` when it had asked for parts before.
 */
const failedOtherwise = (threads: string): string => `coalesce(
  (SELECT a.outcome IN ('failed', 'parked') AND a.reason IS DISTINCT FROM 'paused'
      AND (a.error IS NULL OR a.reason NOT IN ${ofProvider})
    FROM compaction_attempts a WHERE a.project_id = ${threads}.project_id AND a.thread_uid = ${threads}.uid
      AND a.ended_at IS NOT NULL ORDER BY a.epoch DESC LIMIT 1), false)`;

/**
 * How the summary model answered lately, from the recorded attempts. An attempt without an error text failed for
 * another reason.
 */
export async function readModelHealth(query: Query, projectId: string): Promise<ModelHealthRow> {
  const [row] = await query<ModelHealthRow>(
    {
      name: 'model-health',
      text: `WITH lately AS (
          SELECT outcome, reason, method, error, ended_at FROM compaction_attempts
          WHERE project_id = $1 AND started_at > now() - ${lookBack} AND ended_at IS NOT NULL),
        ok AS (SELECT max(ended_at) AS at FROM lately WHERE outcome = 'compacted' AND method = 'llm'),
        failed AS (
          SELECT * FROM lately WHERE outcome IN ('failed', 'parked') AND error IS NOT NULL
            AND reason IN ${ofProvider}
            AND ended_at > coalesce((SELECT at FROM ok), '-infinity')),
        waiting AS (
          SELECT id, next_attempt_at FROM threads
          WHERE project_id = $1 AND deleted_at IS NULL AND (needs_compaction OR park_reason IS NOT NULL)
            AND ((park_reason IS NULL AND next_attempt_at > now() AND NOT ${failedOtherwise('threads')})
              OR park_reason = 'auth'))
        SELECT (SELECT at FROM ok) AS "lastOkAt", count(*)::int AS failures, min(ended_at) AS "failingSince",
          max(ended_at) AS "lastFailureAt", (array_agg(error ORDER BY ended_at DESC))[1] AS "lastError",
          (array_agg(reason ORDER BY ended_at DESC))[1] AS reason,
          (SELECT count(*)::int FROM waiting) AS waiting,
          (SELECT min(next_attempt_at) FROM waiting) AS "nextTryAt",
          array(SELECT id FROM waiting ORDER BY next_attempt_at NULLS FIRST, id LIMIT 5) AS threads
        FROM failed`,
    },
    [projectId],
  );
  return row!;
}

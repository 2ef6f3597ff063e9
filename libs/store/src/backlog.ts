import { isPaused, resumedAt } from './access/compaction-pause.js';
import type { Query } from './connection/store.js';
import { awaitsApproval } from './sql/compaction/decide-proposal.js';
import { claimableSince, queueStateOf, wasAlwaysClaimable } from './sql/compaction/queue-state.js';
import { longestWaiting, waitingProjects } from './sql/compaction/unsettled.js';
import { stateOf } from './threads/thread-row.js';

/** What waits for a compaction, over all projects. */
export interface Backlog {
  due: number;
  running: number;
  backoff: number;
  parked: number;
  parkedByReason: Record<string, number>;
  /** For how long a worker could have claimed the oldest due thread; null when none is due. */
  oldestDueMs: number | null;
  /** How long ago the oldest thread in back-off became due; null when none is in back-off. */
  oldestBackoffMs: number | null;
  /** Whether the operator pauses the compaction of all projects. */
  isPaused: boolean;
  /** Projects whose own compaction is paused. */
  pausedProjects: number;
}

/** Threads that are counted: more would take long, and ten thousand are a backlog as well. */
const maxCounted = 10_000;

/**
 * Counts the threads that have something to compact, without those that wait for an approval, and finds those that have
 * waited longest. Reads these threads through the index of unsettled threads, and at most 10,000 of them. The oldest due
 * thread of each project is looked for by itself, in the order of that index, so it is right beyond that number, except
 * among threads that were tried before: those can be claimed since another time than they became due. A scrape of
 * metrics runs it every few seconds.
 */
export async function readBacklog(query: Query): Promise<Backlog> {
  const rows = await query<Backlog>(
    {
      name: 'read-backlog',
      text: `WITH RECURSIVE ${waitingProjects}, oldest AS (
          SELECT min(greatest(first.requested_at, ${resumedAt('w.project_id')})) AS at
          FROM waiting w CROSS JOIN LATERAL (
            SELECT t.requested_at FROM threads t WHERE t.project_id = w.project_id AND t.needs_compaction
              AND t.park_reason IS NULL AND t.deleted_at IS NULL AND ${stateOf('t')} = 'due' AND ${wasAlwaysClaimable('t')}
              AND NOT ${awaitsApproval('t')} AND NOT ${isPaused('w.project_id')}
            ORDER BY ${longestWaiting('t')} LIMIT 1) first
        ), counted AS (
          SELECT ${queueStateOf('t')} AS state, park_reason, requested_at,
            CASE WHEN NOT ${wasAlwaysClaimable('t')} THEN ${claimableSince('t')} END AS claimable_since FROM threads t
          WHERE needs_compaction AND deleted_at IS NULL LIMIT ${maxCounted}
        )
        SELECT count(*) FILTER (WHERE state = 'due')::int AS due,
          count(*) FILTER (WHERE state = 'running')::int AS running,
          count(*) FILTER (WHERE state = 'backoff')::int AS backoff,
          count(*) FILTER (WHERE state = 'parked')::int AS parked,
          (SELECT coalesce(jsonb_object_agg(reason, number), '{}') FROM (SELECT park_reason AS reason, count(*) AS number
            FROM counted WHERE park_reason IS NOT NULL GROUP BY 1) parked) AS "parkedByReason",
          extract(epoch FROM now() - least((SELECT at FROM oldest), min(claimable_since)
            FILTER (WHERE state = 'due')))::float8 * 1000 AS "oldestDueMs",
          extract(epoch FROM now() - min(requested_at) FILTER (WHERE state = 'backoff'))::float8 * 1000
            AS "oldestBackoffMs",
          (SELECT paused_at IS NOT NULL FROM compaction_pause) AS "isPaused",
          (SELECT count(*)::int FROM projects WHERE compaction_paused_at IS NOT NULL AND erased_at IS NULL)
            AS "pausedProjects"
        FROM counted`,
    },
    [],
  );
  return rows[0]!;
}

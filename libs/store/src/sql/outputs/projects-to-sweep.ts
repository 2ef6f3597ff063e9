import type { Query } from '../../connection/store.js';
import { oldestKeptSweep } from '../../outputs/sweeps.js';
import { oneByOne } from '../messages/unnested.js';

export interface SweepLimits {
  /** The byte budget of a project whose policy sets none. */
  maxBytes: number;
  /** How long finished deliveries are kept. */
  keepDeliveriesMs: number;
  /** How long thread tokens are kept after their end. */
  keepTokensMs: number;
  /** How long processes that counted usage are known after their last write, and what keys took is kept. */
  keepWritersMs: number;
  /** How long sweeps are kept beyond the newest. */
  keepSweepsMs: number;
  /** How long sessions are kept after their start. */
  keepSessionsMs: number;
}

/** A project for which a sweep has something to do, or may have. */
export interface ProjectToSweep {
  id: string;
  /** Rows wait for the sweep, whatever the byte budget is. */
  isDue: boolean;
  /** Bytes of readable outputs when they may exceed the byte budget; null when they do not, or all are pinned. */
  bytes: number | null;
  /** As JSON. It decides whether `bytes` exceed the budget. */
  policy: string;
}

const ago = (parameter: number): string => `now() - $${parameter}::bigint * interval '1 ms'`;

/**
 * The first value of an index among the rows of a project. Asked for rows before a time, Postgres would expect many and
 * read the table until it comes to one: all of the table where there is none.
 */
const first = (table: string, column: string, rows = 'true'): string =>
  `(SELECT min(${column}) FROM ${table} WHERE project_id = p.id AND ${rows})`;

/** Whether a project has such rows, by an index that has few others. */
const isThere = (rows: string): string => `EXISTS (SELECT FROM ${rows} ${oneByOne})`;

const removable = `state = 'ready' AND NOT pinned`;

/** What a sweep would find in a project. */
const due = [
  `${first('outputs', 'expires_at', removable)} < now()`,
  `${first('outputs', 'delete_after', `state = 'deleting'`)} <= now()`,
  `${first('outputs', 'created_at', `state = 'staging'`)} < now() - interval '1 hour'`,
  `${first('media', 'touched_at', 'NOT in_use AND (remove_after IS NULL OR remove_after <= now())')} < now() - interval '1 hour'`,
  `${first('webhook_deliveries', 'ended_at')} < ${ago(2)}`,
  `${first('thread_tokens', 'expires_at')} < ${ago(3)}`,
  `${first('usage_writers', 'written_at')} < ${ago(4)}`,
  `${first('key_usage_days', 'day')} < ${ago(4)}`,
  `(${first('sweeps', 'started_at')} < ${ago(5)} AND ${first('sweeps', 'started_at')} < ${oldestKeptSweep('p.id')})`,
  `${first('sessions', 'created_at')} < ${ago(6)}`,
  isThere(`threads t WHERE t.project_id = p.id AND t.deleted_at IS NOT NULL AND t.files_removed_at IS NULL
      AND (t.remove_after IS NULL OR t.remove_after <= now())`),
  isThere(`compaction_attempts a JOIN threads t ON t.project_id = a.project_id AND t.uid = a.thread_uid
      WHERE a.project_id = p.id AND a.outcome IS NULL AND NOT t.needs_compaction AND t.lease_until < now()`),
];

/** A policy that may set a budget of its own. The words may also stand in a prompt: then the service decides. */
const setsBudget = `p.policy LIKE '%"max_bytes"%' OR p.policy LIKE '%"preset"%'`;

/**
 * Looks at all projects but those that are being erased, in one statement: returns how many there are, and those that a
 * sweep has to visit. Guarantees that a project is named in which a statement of the sweep would find something, except
 * the one for the byte budget: of projects with bytes beyond `maxBytes`, or with a policy that may set another budget, it
 * returns the bytes.
 */
export async function projectsToSweep(
  query: Query,
  limits: SweepLimits,
): Promise<{ projects: number; found: ProjectToSweep[] }> {
  const rows = await query<{ projects: number; found: ProjectToSweep[] }>(
    {
      name: 'projects-to-sweep',
      text: `WITH looked AS MATERIALIZED (
          SELECT p.id, p.policy, held.changes > 1 OR ${due.join('\n            OR ')} AS "isDue",
            CASE WHEN held.bytes > CASE WHEN ${setsBudget} THEN 0 ELSE $1::bigint END
              AND ${first('outputs', 'created_at', removable)} IS NOT NULL THEN held.bytes END AS bytes
          FROM projects p CROSS JOIN LATERAL (
            SELECT count(*) AS changes, sum(b.bytes) AS bytes FROM output_bytes b WHERE b.project_id = p.id) held
          WHERE p.erased_at IS NULL
        )
        SELECT count(*)::int AS projects,
          coalesce(jsonb_agg(to_jsonb(looked)) FILTER (WHERE "isDue" OR bytes IS NOT NULL), '[]') AS found FROM looked`,
    },
    [
      limits.maxBytes,
      limits.keepDeliveriesMs,
      limits.keepTokensMs,
      limits.keepWritersMs,
      limits.keepSweepsMs,
      limits.keepSessionsMs,
    ],
  );
  return rows[0]!;
}

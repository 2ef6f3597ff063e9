import type { Query } from './connection/store.js';
import { usageColumns, type UsageCounts } from './sql/usage/add-usage.js';

export interface UsageRange {
  projectId: string;
  /** Both at the start of a bucket. */
  from: Date;
  to: Date;
  bucket: 'hour' | 'day';
}

const values = (r: UsageRange) => [r.projectId, r.from, r.to, r.bucket];

/** A sum that JavaScript can hold: beyond 2^53 tokens it loses precision instead of failing the query. */
const sum = (column: string, name: string): string => `coalesce(sum(${column}), 0)::float8 AS "${name}"`;

const sums = Object.entries(usageColumns)
  .map(([name, column]) => sum(column, name))
  .join(', ');

/** Of what processes counted; `at` is null in the row that sums up the range. */
export const countedByBucket = (query: Query, range: UsageRange) =>
  query<UsageCounts & { at: Date | null }>(
    {
      name: 'counted-by-bucket',
      text: `SELECT date_trunc($4::text, hour, 'UTC') AS at, ${sums}
        FROM usage_hours WHERE project_id = $1 AND hour >= $2 AND hour < $3 GROUP BY GROUPING SETS ((1), ())`,
    },
    values(range),
  );

/** Tokens not sent, by the threads' model. */
export const notSentByModel = (query: Query, { projectId, from, to }: UsageRange) =>
  query<{ model: string; contexts: number; tokensNotSent: number }>(
    {
      name: 'not-sent-by-model',
      text: `SELECT model, ${sum('contexts', 'contexts')}, ${sum('tokens_not_sent', 'tokensNotSent')}
        FROM usage_hours WHERE project_id = $1 AND hour >= $2 AND hour < $3
        GROUP BY model HAVING sum(contexts) > 0 ORDER BY sum(tokens_not_sent) DESC, model`,
    },
    [projectId, from, to],
  );

/** Tokens of summaries in the range, by the threads' model and the summary model. */
export const spentByModel = (query: Query, { projectId, from, to }: UsageRange) =>
  query<{
    model: string;
    summaryModel: string;
    attempts: number;
    costUsd: number | null;
    unpriced: { attempts: number; inputTokens: number; outputTokens: number; cachedInputTokens: number };
  }>(
    {
      name: 'spent-by-model',
      text: `SELECT coalesce(t.model, '') AS model, coalesce(a.model, '') AS "summaryModel", count(*)::int AS attempts,
          sum(cost_usd) AS "costUsd",
          json_build_object('attempts', count(*) FILTER (WHERE cost_usd IS NULL),
            'inputTokens', coalesce(sum(input_tokens) FILTER (WHERE cost_usd IS NULL), 0),
            'outputTokens', coalesce(sum(output_tokens) FILTER (WHERE cost_usd IS NULL), 0),
            'cachedInputTokens', coalesce(sum(cached_input_tokens) FILTER (WHERE cost_usd IS NULL), 0)) AS unpriced
        FROM compaction_attempts a JOIN threads t ON t.project_id = a.project_id AND t.uid = a.thread_uid
        WHERE a.project_id = $1 AND a.started_at >= $2 AND a.started_at < $3 AND a.input_tokens IS NOT NULL
        GROUP BY 1, 2 ORDER BY 1, 2`,
    },
    [projectId, from, to],
  );

/** Compaction attempts that began in the range. */
export const attemptsByBucket = (query: Query, range: UsageRange) =>
  query<{
    at: Date | null;
    ok: number;
    failed: number;
    other: number;
    medianMs: number | null;
    maxMs: number | null;
    askedModel: number;
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens: number;
    costUsd: number | null;
    unpriced: number;
  }>(
    {
      name: 'attempts-by-bucket',
      text: `SELECT date_trunc($4::text, started_at, 'UTC') AS at,
          count(*) FILTER (WHERE outcome = 'compacted')::int AS ok,
          count(*) FILTER (WHERE outcome IN ('failed', 'parked', 'lost'))::int AS failed,
          count(*) FILTER (WHERE outcome NOT IN ('compacted', 'failed', 'parked', 'lost'))::int AS other,
          percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE outcome = 'compacted') AS "medianMs",
          max(ms) FILTER (WHERE outcome = 'compacted') AS "maxMs",
          count(input_tokens)::int AS "askedModel", ${sum('input_tokens', 'inputTokens')},
          ${sum('output_tokens', 'outputTokens')}, ${sum('cached_input_tokens', 'cachedInputTokens')},
          sum(cost_usd) AS "costUsd", count(*) FILTER (WHERE input_tokens IS NOT NULL AND cost_usd IS NULL)::int AS unpriced
        FROM (SELECT *, (extract(epoch FROM ended_at - started_at) * 1000)::float8 AS ms FROM compaction_attempts
          WHERE project_id = $1 AND started_at >= $2 AND started_at < $3) a
        GROUP BY GROUPING SETS ((1), ())`,
    },
    values(range),
  );

/** Why attempts failed. */
export const failuresByReason = (query: Query, range: UsageRange) =>
  query<{ at: Date | null; reason: string; count: number }>(
    {
      name: 'failures-by-reason',
      text: `SELECT date_trunc($4::text, started_at, 'UTC') AS at, coalesce(reason, outcome) AS reason, count(*)::int AS count
        FROM compaction_attempts
        WHERE project_id = $1 AND started_at >= $2 AND started_at < $3 AND outcome IN ('failed', 'parked', 'lost')
        GROUP BY GROUPING SETS ((1, 2), (2)) ORDER BY 3 DESC, 2`,
    },
    values(range),
  );

/** Outputs offloaded in the range, with deleted ones. */
export const outputsByBucket = (query: Query, range: UsageRange) =>
  query<{ at: Date | null; count: number; bytes: number }>(
    {
      name: 'outputs-by-bucket',
      text: `SELECT date_trunc($4::text, created_at, 'UTC') AS at, count(*)::int AS count, ${sum('bytes', 'bytes')}
        FROM outputs WHERE project_id = $1 AND created_at >= $2 AND created_at < $3 AND thread_uid IS NOT NULL
        GROUP BY GROUPING SETS ((1), ())`,
    },
    values(range),
  );

import type { Query } from '../../connection/store.js';
import { projectIsThere } from './project-is-there.js';

export interface SpentByAttempt {
  projectId: string;
  threadUid: string;
  epoch: number;
  model: string;
  promptVersion: string;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** Null when the model has no price. */
  costUsd: number | null;
}

const added = [
  ...['summary_attempts', 'summary_input_tokens', 'summary_output_tokens', 'summary_cached_input_tokens'],
  ...['summary_cost_nano_usd', 'summary_unpriced_attempts'],
];

/**
 * Records the usage of an attempt's model calls, and adds it to the project's hour, which outlives the thread: the cap
 * on a day's tokens and the figures of the operator are read there. A
 * separate statement after the attempt ended: the commit does not depend on it, and failed attempts spend too. The
 * attempt of a thread that was erased meanwhile counts as well, that of an erased project does not; one that was recorded before is not added again. A
 * crash before the statement loses the numbers of one attempt.
 */
const text = `
WITH recorded AS (
  UPDATE compaction_attempts SET model = coalesce(model, $4::text), prompt_version = $5::text, input_tokens = $6::int,
    output_tokens = $7::int, cached_input_tokens = $8::int, cost_usd = $9::float8
  WHERE project_id = $1 AND thread_uid = $2 AND epoch = $3 AND input_tokens IS NULL
)
INSERT INTO usage_hours AS u (project_id, hour, summary_tokens, ${added.join(', ')})
SELECT $1::uuid, date_trunc('hour', now(), 'UTC'), $6::bigint + $7::bigint, 1, $6::bigint, $7::bigint, $8::bigint,
  coalesce(round($9::float8 * 1e9), 0)::bigint, ($9::float8 IS NULL)::int
WHERE ${projectIsThere} AND NOT EXISTS (SELECT FROM compaction_attempts
  WHERE project_id = $1 AND thread_uid = $2 AND epoch = $3 AND input_tokens IS NOT NULL)
ON CONFLICT (project_id, hour, model) DO UPDATE SET
  ${['summary_tokens', ...added].map((column) => `${column} = u.${column} + excluded.${column}`).join(', ')}`;

export async function recordSpending(query: Query, s: SpentByAttempt): Promise<void> {
  const { projectId, threadUid, epoch, model, promptVersion } = s;
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = s;
  await query({ name: 'record-spending', text }, [
    ...[projectId, threadUid, epoch, model, promptVersion],
    ...[inputTokens, outputTokens, cachedInputTokens, costUsd],
  ]);
}

import type { Query } from '../../connection/store.js';

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

/**
 * Records the usage of an attempt's model calls. A separate statement after the attempt ended: the commit does not
 * depend on it, and failed attempts spend too. A crash in between loses the numbers of one attempt.
 */
const text = `
UPDATE compaction_attempts SET model = coalesce(model, $4::text), prompt_version = $5::text, input_tokens = $6::int,
  output_tokens = $7::int, cached_input_tokens = $8::int, cost_usd = $9::float8
WHERE project_id = $1 AND thread_uid = $2 AND epoch = $3`;

export async function recordSpending(query: Query, s: SpentByAttempt): Promise<void> {
  const { projectId, threadUid, epoch, model, promptVersion } = s;
  const { inputTokens, outputTokens, cachedInputTokens, costUsd } = s;
  await query({ name: 'record-spending', text }, [
    ...[projectId, threadUid, epoch, model, promptVersion],
    ...[inputTokens, outputTokens, cachedInputTokens, costUsd],
  ]);
}

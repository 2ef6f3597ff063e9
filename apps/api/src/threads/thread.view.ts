import type { ThreadRow } from '@spillway/service';

/** A thread's compaction state on the wire. */
export const compactionView = (row: ThreadRow) => ({
  state: row.state,
  ...(row.parkReason !== null ? { reason: row.parkReason } : {}),
  ...(row.state === 'backoff' && row.lastError ? { reason: row.lastError } : {}),
  attempt: row.attempt,
  generation: row.generation,
  covered_through: row.coveredThrough,
  ...(row.state === 'backoff' && row.nextAttemptAt
    ? { next_attempt_at: row.nextAttemptAt.toISOString() }
    : {}),
});

/** A thread on the wire. */
export const threadView = (row: ThreadRow) => ({
  id: row.id,
  model: row.model,
  system: row.system,
  tools: row.tools === null ? null : (JSON.parse(row.tools) as unknown[]),
  calibration: row.calibration,
  metadata: JSON.parse(row.metadata) as Record<string, string>,
  policy: JSON.parse(row.policy) as object,
  last_seq: row.nextSeq - 1,
  live_tokens: row.liveTokens,
  total_tokens: Number(row.totalTokens),
  context_window: row.contextWindow,
  limit_tokens: row.limitTokens,
  trigger_tokens: row.triggerTokens,
  output_count: row.outputCount,
  compaction: compactionView(row),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

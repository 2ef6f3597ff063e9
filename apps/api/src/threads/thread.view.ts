import type { ListedThreadRow, ThreadCounts, ThreadRow } from '@spillway/service';

type ListedRow = Omit<ListedThreadRow, 'summaryTokens'>;

/** A thread's compaction state on the wire. */
export const compactionView = (row: ListedRow) => ({
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

/** What a thread and a thread in a list have in common on the wire. */
const sharedView = (row: ListedRow) => ({
  id: row.id,
  model: row.model,
  calibration: row.calibration,
  measured_ratio: row.measuredRatio,
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

/** A thread on the wire. */
export const threadView = (row: ThreadRow) => ({
  ...sharedView(row),
  system: row.system,
  tools: row.tools === null ? null : (JSON.parse(row.tools) as unknown[]),
});

/** A thread in a list. */
export const threadListedView = (row: ListedThreadRow) => ({
  ...sharedView(row),
  summary_tokens: row.summaryTokens,
});

export const threadCountsView = ({ states, models }: ThreadCounts) => ({
  total: states.reduce((sum, { threads }) => sum + threads, 0),
  states: {
    ...{ idle: 0, due: 0, running: 0, backoff: 0, parked: 0 },
    ...Object.fromEntries(states.map(({ state, threads }) => [state, threads])),
  },
  models: models.map(({ model, threads }) => ({ model, threads })),
});

import type {
  CallerRow,
  FixedContent,
  GrownThread,
  ListedThreadRow,
  ThreadCounts,
  ThreadRow,
} from '@spillway/service';
import { mayRead } from '../auth/caller.js';

type ListedRow = Omit<ListedThreadRow, 'summaryTokens'>;
type ChangedRow = Omit<GrownThread, 'settingsVersion' | 'waitedMs'>;

/** Why a thread is irreducible, in API form. */
export const fixedContentView = (of: FixedContent) => ({
  fixed_tokens: of.fixedTokens,
  limit_tokens: of.limitTokens,
  trigger_tokens: of.triggerTokens,
  serves_context: of.servesContext,
  smallest_window: of.smallestWindow,
});

/** A thread's compaction state in API form. */
export const compactionView = (row: ChangedRow) => ({
  state: row.state,
  ...(row.parkReason !== null ? { reason: row.parkReason } : {}),
  ...(row.state === 'backoff' && row.lastError ? { reason: row.lastError } : {}),
  ...(row.lastError !== null && row.state !== 'idle' ? { error: row.lastError } : {}),
  attempt: row.attempt,
  generation: row.generation,
  covered_through: row.coveredThrough,
  ...(row.preparedState
    ? { prepared: { generation: row.preparedGeneration, state: row.preparedState } }
    : {}),
  ...(row.state === 'backoff' && row.nextAttemptAt
    ? { next_attempt_at: row.nextAttemptAt.toISOString() }
    : {}),
});

/**
 * What summaries and stubs keep out of the context. Without either it is nothing, though live tokens may be fewer than all:
 * a message larger than half of the limit counts as half of it, and what is cut of it when space is short is not saved.
 */
function savedTokens({ generation, outputCount, totalTokens, liveTokens }: ListedRow): number {
  if (generation === 0 && outputCount === 0) return 0;
  return Math.max(0, Number(totalTokens) - liveTokens);
}

/** The fields that a thread and a listed thread share. */
const sharedView = (row: ListedRow) => ({
  id: row.id,
  model: row.model,
  format: row.format,
  calibration: row.calibration,
  measured_ratio: row.measuredRatio,
  metadata: JSON.parse(row.metadata) as Record<string, string>,
  policy: JSON.parse(row.policy) as object,
  last_seq: row.headSeq,
  recorded_seq: row.nextSeq - 1,
  live_tokens: row.liveTokens,
  total_tokens: Number(row.totalTokens),
  saved_tokens: savedTokens(row),
  context_window: row.contextWindow,
  limit_tokens: row.limitTokens,
  trigger_tokens: row.triggerTokens,
  output_count: row.outputCount,
  compaction: compactionView(row),
  forked_from: row.forkedFrom === null ? null : { thread: row.forkedFrom, at: row.forkSeq! },
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

/** What a change of a thread's messages answers about the thread. */
export const changedThreadView = (row: ChangedRow) => ({
  id: row.id,
  last_seq: row.headSeq,
  live_tokens: row.liveTokens,
  context_window: row.contextWindow,
  trigger_tokens: row.triggerTokens,
  compaction: compactionView(row),
});

/** Since when a worker could claim a thread that is due: a retry waits for its time. */
const claimableSince = ({ requestedAt, nextAttemptAt }: ThreadRow): Date =>
  new Date(Math.max(requestedAt?.getTime() ?? 0, nextAttemptAt?.getTime() ?? 0));

/** A thread in API form. */
export const threadView = (row: ThreadRow, detail: FixedContent | null = null) => ({
  ...sharedView(row),
  compaction: {
    ...compactionView(row),
    ...(row.state === 'due' && row.requestedAt ? { due_since: claimableSince(row).toISOString() } : {}),
    ...(detail ? { detail: fixedContentView(detail) } : {}),
  },
  system: row.system,
  tools: row.tools === null ? null : (JSON.parse(row.tools) as unknown[]),
});

/** A thread for a caller without `context:read`: without its system prompt and tools. */
export const threadViewFor = (row: ThreadRow, caller: CallerRow) =>
  mayRead(caller, 'context:read') ? threadView(row) : sharedView(row);

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

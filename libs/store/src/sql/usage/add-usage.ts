import type { Query } from '../../connection/store.js';
import { projectIsThere } from './project-is-there.js';

/** What a process counted for a project; a batch that may not have been written is sent again as it is. */
export interface UsageBatch {
  /** Grows from batch to batch of a writer. */
  number: number;
  byModel: ReadonlyMap<string, UsageCounts>;
  /** Input and output tokens of model calls of agents, by the id of the key. */
  chatTokensByKey: ReadonlyMap<string, number>;
}

/** One process's counts for the threads of one model since its last write. */
export interface UsageCounts {
  messages: number;
  tokensRecorded: number;
  contexts: number;
  contextsDegraded: number;
  contextsOverWindow: number;
  tokensSent: number;
  tokensFull: number;
  tokensNotSent: number;
  serverErrors: number;
  chatTurns: number;
  chatInputTokens: number;
  chatOutputTokens: number;
  chatCachedInputTokens: number;
  chatCostNanoUsd: number;
  chatUnpricedTurns: number;
  historyCalls: number;
  historyCallsNotFound: number;
}

/** Columns of `usage_hours` by the names of the counts. */
export const usageColumns: Record<keyof UsageCounts, string> = {
  messages: 'messages',
  tokensRecorded: 'tokens_recorded',
  contexts: 'contexts',
  contextsDegraded: 'contexts_degraded',
  contextsOverWindow: 'contexts_over_window',
  tokensSent: 'tokens_sent',
  tokensFull: 'tokens_full',
  tokensNotSent: 'tokens_not_sent',
  serverErrors: 'server_errors',
  chatTurns: 'chat_turns',
  chatInputTokens: 'chat_input_tokens',
  chatOutputTokens: 'chat_output_tokens',
  chatCachedInputTokens: 'chat_cached_input_tokens',
  chatCostNanoUsd: 'chat_cost_nano_usd',
  chatUnpricedTurns: 'chat_unpriced_turns',
  historyCalls: 'history_calls',
  historyCallsNotFound: 'history_calls_not_found',
};
const names = Object.keys(usageColumns) as (keyof UsageCounts)[];
const listed = Object.values(usageColumns).join(', ');

/**
 * Adds a batch of a process's counts to the current hour, and of its keys to the current day, by the database's clock,
 * in one round trip per project, and once: the batches of a writer come in order, so one that is not above its last is a repetition whose reply was lost,
 * or that was late. Nothing is added for a project that was erased meanwhile. Rows are locked in the order of their
 * models and keys, so that concurrent processes never deadlock.
 */
const text = `
WITH batch AS (
  INSERT INTO usage_writers AS w (project_id, id, batch) SELECT $1::uuid, $2::uuid, $3::int WHERE ${projectIsThere}
  ON CONFLICT (project_id, id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE w.batch < excluded.batch
  RETURNING 1
), of_keys AS (
  INSERT INTO key_usage_days AS d (project_id, day, key_id, chat_tokens)
  SELECT $1::uuid, date_trunc('day', now(), 'UTC'), key_id, chat_tokens
  FROM batch, unnest($5::uuid[], $6::bigint[]) AS counted(key_id, chat_tokens)
  ORDER BY key_id
  ON CONFLICT (project_id, day, key_id) DO UPDATE SET chat_tokens = d.chat_tokens + excluded.chat_tokens
)
INSERT INTO usage_hours AS u (project_id, hour, model, ${listed})
SELECT $1::uuid, date_trunc('hour', now(), 'UTC'), model, ${listed}
FROM batch, unnest($4::text[], ${names.map((_, i) => `$${i + 7}::bigint[]`).join(', ')}) AS counted(model, ${listed})
ORDER BY model
ON CONFLICT (project_id, hour, model) DO UPDATE SET
  ${Object.values(usageColumns)
    .map((column) => `${column} = u.${column} + excluded.${column}`)
    .join(', ')}`;

export async function addUsage(
  query: Query,
  { projectId, writer, batch }: { projectId: string; writer: string; batch: UsageBatch },
): Promise<void> {
  const counts = [...batch.byModel.values()];
  const values = names.map((name) => counts.map((count) => count[name]));
  await query({ name: 'add-usage', text }, [
    ...[projectId, writer, batch.number, [...batch.byModel.keys()]],
    ...[[...batch.chatTokensByKey.keys()], [...batch.chatTokensByKey.values()]],
    ...values,
  ]);
}

/** Deletes the writers that wrote nothing for `keepMs`. */
export const forgetUsageWriters = (query: Query, projectId: string, keepMs: number) =>
  query(
    {
      name: 'forget-usage-writers',
      text: `DELETE FROM usage_writers WHERE project_id = $1 AND written_at < now() - $2::bigint * interval '1 ms'`,
    },
    [projectId, keepMs],
  );

import type { Query } from '../../connection/store.js';

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
}

const columns: Record<keyof UsageCounts, string> = {
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
};
const names = Object.keys(columns) as (keyof UsageCounts)[];
const listed = Object.values(columns).join(', ');

/**
 * Adds a process's counts to the current hour by the database's clock, in one round trip per project. Rows are locked
 * in the order of their models, so that concurrent processes never deadlock.
 */
const text = `
INSERT INTO usage_hours AS u (project_id, hour, model, ${listed})
SELECT $1::uuid, date_trunc('hour', now(), 'UTC'), model, ${listed}
FROM unnest($2::text[], ${names.map((_, i) => `$${i + 3}::bigint[]`).join(', ')}) AS counted(model, ${listed})
ORDER BY model
ON CONFLICT (project_id, hour, model) DO UPDATE SET
  ${Object.values(columns)
    .map((column) => `${column} = u.${column} + excluded.${column}`)
    .join(', ')}`;

export async function addUsage(
  query: Query,
  projectId: string,
  byModel: ReadonlyMap<string, UsageCounts>,
): Promise<void> {
  const counts = [...byModel.values()];
  const values = names.map((name) => counts.map((count) => count[name]));
  await query({ name: 'add-usage', text }, [projectId, [...byModel.keys()], ...values]);
}

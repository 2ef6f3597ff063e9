import type { Query } from '../../connection/store.js';

/**
 * Input and output tokens that models took for summaries of a project since midnight UTC, as far as attempts have ended.
 * Those of erased threads count: an erasure must not free a part of the day's cap.
 */
export async function summaryTokensToday(query: Query, projectId: string): Promise<number> {
  const rows = await query<{ tokens: number }>(
    {
      name: 'summary-tokens-today',
      text: `SELECT coalesce(sum(summary_tokens), 0)::float8 AS tokens FROM usage_hours
        WHERE project_id = $1 AND hour >= date_trunc('day', now(), 'UTC')`,
    },
    [projectId],
  );
  return rows[0]!.tokens;
}

/** What model calls of agents took in a project today, as far as it was written. */
export interface ChatSpentToday {
  tokens: number;
  /** Until midnight UTC, by the database's clock. */
  msLeft: number;
}

/** Input and output tokens that /chat and the proxies took in a project since midnight UTC. */
export async function chatSpentToday(query: Query, projectId: string): Promise<ChatSpentToday> {
  const rows = await query<ChatSpentToday>(
    {
      name: 'chat-spent-today',
      text: `SELECT coalesce(sum(chat_input_tokens + chat_output_tokens), 0)::float8 AS tokens,
          extract(epoch FROM date_trunc('day', now(), 'UTC') + interval '1 day' - now())::float8 * 1000 AS "msLeft"
        FROM usage_hours WHERE project_id = $1 AND hour >= date_trunc('day', now(), 'UTC')`,
    },
    [projectId],
  );
  return rows[0]!;
}

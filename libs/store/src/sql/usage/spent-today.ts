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

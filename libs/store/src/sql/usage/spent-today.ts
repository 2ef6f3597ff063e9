import type { Query } from '../../connection/store.js';

/**
 * Input and output tokens that models took for summaries of a project since midnight UTC, as far as attempts have ended.
 */
export async function summaryTokensToday(query: Query, projectId: string): Promise<number> {
  const rows = await query<{ tokens: number }>(
    {
      name: 'summary-tokens-today',
      text: `SELECT coalesce(sum(input_tokens + output_tokens), 0)::float8 AS tokens FROM compaction_attempts
        WHERE project_id = $1 AND started_at >= date_trunc('day', now(), 'UTC')`,
    },
    [projectId],
  );
  return rows[0]!.tokens;
}

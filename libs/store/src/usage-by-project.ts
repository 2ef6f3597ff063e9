import { asOperator } from './connection/scope.js';
import type { Query } from './connection/store.js';

/** Columns of `usage_hours` by the names of their sums. */
const columns = {
  messages: 'messages',
  tokensRecorded: 'tokens_recorded',
  contexts: 'contexts',
  serverErrors: 'server_errors',
  summaryAttempts: 'summary_attempts',
  summaryInputTokens: 'summary_input_tokens',
  summaryOutputTokens: 'summary_output_tokens',
  summaryCachedInputTokens: 'summary_cached_input_tokens',
  summaryCostNanoUsd: 'summary_cost_nano_usd',
  summaryUnpricedAttempts: 'summary_unpriced_attempts',
  chatTurns: 'chat_turns',
  chatInputTokens: 'chat_input_tokens',
  chatOutputTokens: 'chat_output_tokens',
  chatCachedInputTokens: 'chat_cached_input_tokens',
  chatCostNanoUsd: 'chat_cost_nano_usd',
  chatUnpricedTurns: 'chat_unpriced_turns',
};
type Sums = Record<keyof typeof columns, number>;

/** A project with what was counted of it in a range, and what it holds now. */
export interface ProjectFigures extends Sums {
  id: string;
  name: string;
  suspendedAt: Date | null;
  compactionPausedAt: Date | null;
  /** Threads that are not erased. */
  threads: number;
  /** Bytes of outputs that can be read. */
  outputBytes: number;
  /** The figure that the list is sorted by. */
  sortedBy: number;
}

const ofHours = (sum: string): string =>
  `SELECT project_id, sum(${sum})::float8 AS value FROM usage_hours WHERE hour >= $1 AND hour < $2 GROUP BY 1`;

/** Figures that projects are compared by, each as the rows that have it. */
const figures = {
  messages: ofHours('messages'),
  tokens_recorded: ofHours('tokens_recorded'),
  contexts: ofHours('contexts'),
  server_errors: ofHours('server_errors'),
  llm_tokens: ofHours('summary_input_tokens + summary_output_tokens'),
  llm_cost_usd: ofHours('summary_cost_nano_usd'),
  chat_tokens: ofHours('chat_input_tokens + chat_output_tokens'),
  chat_cost_usd: ofHours('chat_cost_nano_usd'),
  cost_usd: ofHours('summary_cost_nano_usd + chat_cost_nano_usd'),
  threads: 'SELECT project_id, sum(threads)::float8 AS value FROM thread_counts GROUP BY 1',
  output_bytes: 'SELECT project_id, sum(bytes)::float8 AS value FROM output_bytes GROUP BY 1',
};
export type ProjectFigure = keyof typeof figures;

/** Projects of which a figure is the same are in the order of their ids. */
export interface ProjectPosition {
  value: number;
  id: string;
}

const sums = Object.entries(columns)
  .map(([name, column]) => `coalesce(sum(${column}), 0)::float8 AS "${name}"`)
  .join(', ');

/**
 * Projects by a figure, the largest first. Sums up that figure alone for all projects, through an index of hours or from
 * the few rows of each that add up to its threads and bytes, and the others for those of the page: it reads no message,
 * no thread and no output. A sum that JavaScript cannot hold loses precision instead of failing the query.
 */
export const figuresByProject = (
  query: Query,
  range: { from: Date; to: Date },
  { sort, after, limit }: { sort: ProjectFigure; after: ProjectPosition | null; limit: number },
): Promise<ProjectFigures[]> =>
  asOperator(() =>
    query<ProjectFigures>(
      {
        name: `projects-by-${sort}`,
        text: `WITH ranked AS (
            SELECT p.id, coalesce(f.value, 0) AS "sortedBy" FROM projects p
            LEFT JOIN (${figures[sort]}) f ON f.project_id = p.id WHERE p.erased_at IS NULL
          ), page AS MATERIALIZED (
            SELECT * FROM ranked WHERE $3::float8 IS NULL OR "sortedBy" < $3 OR "sortedBy" = $3 AND id > $4::uuid
            ORDER BY "sortedBy" DESC, id LIMIT $5
          )
          SELECT page.id, page."sortedBy", p.name, p.suspended_at AS "suspendedAt",
            p.compaction_paused_at AS "compactionPausedAt", used.*,
            (SELECT coalesce(sum(threads), 0)::float8 FROM thread_counts WHERE project_id = page.id) AS threads,
            (SELECT coalesce(sum(bytes), 0)::float8 FROM output_bytes WHERE project_id = page.id) AS "outputBytes"
          FROM page JOIN projects p ON p.id = page.id CROSS JOIN LATERAL (
            SELECT ${sums} FROM usage_hours
            WHERE project_id = page.id AND hour >= $1::timestamptz AND hour < $2::timestamptz) used
          ORDER BY page."sortedBy" DESC, page.id`,
      },
      [range.from, range.to, after?.value ?? null, after?.id ?? null, limit],
    ),
  );

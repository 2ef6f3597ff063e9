import type { Query } from '../connection/store.js';
import {
  fillOf,
  filterCondition,
  filterParameters,
  filterValues,
  type ThreadFilter,
} from './thread-filter.js';
import { listedColumns, stateOf, type ListedThread, type ThreadState } from './thread-row.js';

/** Sort orders, with the uid as the tie-breaker, and the database type of a cursor's value. */
const orders = {
  updated: { by: 't.updated_at', type: 'timestamptz' },
  created: { by: 't.created_at', type: 'timestamptz' },
  tokens: { by: 't.live_tokens', type: 'int' },
  messages: { by: 't.next_seq', type: 'int' },
  id: { by: 't.id', type: 'text' },
  fill: { by: fillOf('t'), type: 'float8' },
} as const;

export type ThreadOrder = keyof typeof orders;
export type Direction = 'asc' | 'desc';

/** The position after a page: the sort value and the uid of its last row. */
export interface KeysetValue {
  value: string | number;
  uid: string;
}

export interface ThreadListing extends ThreadFilter {
  order: ThreadOrder;
  direction: Direction;
  after: KeysetValue | null;
  limit: number;
}

/** `summaryTokens` are those of the active summary, 0 without one. */
export type ListedThreadRow = ListedThread & { summaryTokens: number };

/**
 * Threads of a project, after a position. The position is a value and not a row number, so rows that come and go before
 * it do not shift the page: only a thread that itself moved past the position is missed or repeated. Only keys are
 * sorted; only the rows of the page are read in full. There is no index on purpose: with one on updated_at or
 * live_tokens every append would write to it, and a scan of 100,000 rows takes tens of milliseconds.
 */
export async function listThreads(query: Query, f: ThreadListing): Promise<ListedThreadRow[]> {
  const { by, type } = orders[f.order];
  const way = f.direction === 'asc' ? 'ASC' : 'DESC';
  const next = filterParameters + 1;
  const after = f.after
    ? `AND (${by}, t.uid) ${f.direction === 'asc' ? '>' : '<'} ($${next + 1}::${type}, $${next + 2}::uuid)`
    : '';
  return query<ListedThreadRow>(
    {
      name: `list-threads-${f.order}-${f.direction}-${f.after ? 'on' : 'first'}`,
      text: `SELECT ${listedColumns('t')}, coalesce(s.tokens, 0) AS "summaryTokens"
        FROM (SELECT t.project_id, t.uid, ${by} AS key FROM threads t WHERE ${filterCondition('t')} ${after}
          ORDER BY ${by} ${way}, t.uid ${way} LIMIT $${next}) page
        JOIN threads t ON t.project_id = page.project_id AND t.uid = page.uid
        LEFT JOIN summaries s ON s.project_id = t.project_id AND s.thread_uid = t.uid AND s.generation = t.generation
        ORDER BY page.key ${way}, page.uid ${way}`,
    },
    [...filterValues(f), f.limit, ...(f.after ? [f.after.value, f.after.uid] : [])],
  );
}

/** The position of a row. */
export const positionOf = (row: ListedThreadRow, order: ThreadOrder): KeysetValue => {
  const value = {
    updated: () => row.updatedAt.toISOString(),
    created: () => row.createdAt.toISOString(),
    tokens: () => row.liveTokens,
    messages: () => row.nextSeq,
    id: () => row.id,
    fill: () => row.liveTokens / Math.max(row.limitTokens, 1),
  }[order]();
  return { value, uid: row.uid };
};

export interface ThreadCounts {
  states: { state: ThreadState; threads: number }[];
  models: { model: string | null; threads: number }[];
}

/** Maximum of models listed, the most used ones first. */
const maxModels = 50;

/** Number of threads that match a filter, by state and by model, in one pass. */
export async function countThreads(query: Query, filter: ThreadFilter): Promise<ThreadCounts> {
  const rows = await query<{ state: ThreadState; model: string | null; isModel: boolean; threads: number }>(
    {
      name: 'count-threads',
      text: `SELECT state, model, grouping(state) = 1 AS "isModel", count(*)::int AS threads
        FROM (SELECT ${stateOf('t')} AS state, t.model FROM threads t WHERE ${filterCondition('t')}) t
        GROUP BY GROUPING SETS ((state), (model)) ORDER BY grouping(state), count(*) DESC, model LIMIT ${5 + maxModels}`,
    },
    filterValues(filter),
  );
  return {
    states: rows.filter((row) => !row.isModel),
    models: rows.filter((row) => row.isModel).slice(0, maxModels),
  };
}

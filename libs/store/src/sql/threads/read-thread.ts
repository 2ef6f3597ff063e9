import type { Query } from '../../connection/store.js';
import type { SummaryMaker } from '../messages/read-context.js';
import { oneByOne, unnested, valuesOf, type Columns } from '../messages/unnested.js';
import { rowVersionOf, threadColumns, type ThreadRow } from '../../threads/thread-row.js';

export interface ActiveSummary {
  sGeneration: number | null;
  sFromSeq: number;
  sToSeq: number;
  sMethod: SummaryMaker;
  sText: string;
  sTokens: number;
  sCarried: number[];
  sClearedThrough: number;
  /** What callers keep and release beside it, as JSON; null without any. */
  sHolds: string | null;
  /** The instructions that it shows, as JSON; null in summaries from before there were any. */
  sInstructions: string | null;
}

/** A thread, and the version that this row of it has. */
export type VersionedRow = ThreadRow & { rowVersion: string };

export type ThreadWithSummary = VersionedRow & ActiveSummary;

const withSummary = (
  id: string,
): string => `SELECT ${threadColumns('t')}, s.generation AS "sGeneration", s.from_seq AS "sFromSeq",
    s.to_seq AS "sToSeq", s.method AS "sMethod", s.text AS "sText", s.tokens AS "sTokens",
    s.carried AS "sCarried", s.cleared_through AS "sClearedThrough", s.holds AS "sHolds",
    s.instructions AS "sInstructions", ${rowVersionOf('t')} AS "rowVersion"
  FROM threads t LEFT JOIN summaries s
    ON s.project_id = t.project_id AND s.thread_uid = t.uid AND s.generation = t.generation
  WHERE t.project_id = $1 AND t.id = ${id} AND t.deleted_at IS NULL`;

const oneWithSummary = { name: 'read-thread-with-summary', text: withSummary('$2') };
const idColumn: Columns<string> = { id: ['text', (id) => id] };
const severalWithSummary = {
  name: 'read-threads-with-summary',
  text: `SELECT t.* FROM ${unnested(idColumn, 2)} AS a(id) CROSS JOIN LATERAL (${withSummary('a.id')} ${oneByOne}) t`,
};

/** A thread with its active summary, in one indexed read. Erased threads are not found. */
export async function readThreadWithSummary(query: Query, projectId: string, id: string) {
  const rows = await query<ThreadWithSummary>(oneWithSummary, [projectId, id]);
  return rows[0];
}

/** Several threads of a project with their active summaries, by id. The same as one by one. */
export async function readThreadsWithSummary(query: Query, projectId: string, ids: readonly string[]) {
  const rows = await query<ThreadWithSummary>(severalWithSummary, [
    projectId,
    ...valuesOf(idColumn, [...new Set(ids)]),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The last of the system messages that the thread began with when `seq` was the newest message; 0 for none. */
export async function leadingAt(
  query: Query,
  projectId: string,
  threadUid: string,
  seq: number,
): Promise<number> {
  const rows = await query<{ first: number }>(
    {
      name: 'leading-at',
      text: `SELECT seq AS first FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq <= $3
          AND role NOT IN ('system', 'developer') AND (rewound_before = 0 OR rewound_before > $3)
        ORDER BY seq LIMIT 1`,
    },
    [projectId, threadUid, seq],
  );
  return rows[0] ? rows[0].first - 1 : seq;
}

const one = {
  name: 'read-thread',
  text: `SELECT ${threadColumns('t')} FROM threads t WHERE t.project_id = $1 AND t.id = $2`,
};

/** One thread, erased ones included. */
export async function readThread(
  query: Query,
  projectId: string,
  id: string,
): Promise<ThreadRow | undefined> {
  const rows = await query<ThreadRow>(one, [projectId, id]);
  return rows[0];
}

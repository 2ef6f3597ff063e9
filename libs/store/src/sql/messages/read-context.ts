import type { Query } from '../../connection/store.js';
import { oneByOne, unnested, valuesOf, type Columns } from './unnested.js';

/** What the engine needs to know of one message. `calls` is a JSON array. */
export interface EntryRow {
  seq: number;
  role: string;
  tokens: number;
  pinned: boolean;
  calls: string | null;
  answers: string | null;
  format: string;
  images: number;
  /** keep, whole or release, with what the message weighs then; null for most. */
  hold: string | null;
  holdTokens: number | null;
  /** The first seq whose contexts are without it, because it was rewound; 0: it was not. */
  rewoundBefore: number;
}

/** A stored message: its body, its format, and references to its media. */
export interface BodyRow {
  seq: number;
  body: string;
  format: string;
  media: string | null;
}

export interface Window {
  projectId: string;
  threadUid: string;
  /** Messages after this seq, */
  after: number;
  /** up to this one, */
  through: number;
  /** and these in addition. */
  also: readonly number[];
}

const columns =
  'seq, role, tokens, pinned, calls, answers, format, images, hold, hold_tokens AS "holdTokens", rewound_before AS "rewoundBefore"';
const values = (w: Window) => [w.projectId, w.threadUid, w.after, w.through, w.also];

/** Not rewound when the last message of the window was the newest. */
const isVisible = '(rewound_before = 0 OR rewound_before > $4)';

/** Two reads by the primary key: one of a range, one of single messages. Without what was rewound by then. */
const inWindow = (selected: string): string => `
  SELECT ${selected} FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq > $3 AND seq <= $4 AND ${isVisible}
  UNION ALL
  SELECT ${selected} FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq = ANY($5)
    AND NOT (seq > $3 AND seq <= $4) AND ${isVisible}
  ORDER BY seq`;

const entriesIn = { name: 'read-entries', text: inWindow(columns) };
const entriesWithBodiesIn = { name: 'read-entries-with-bodies', text: inWindow(`${columns}, body, media`) };

/** Entries of a window: an indexed range, whatever the length of the thread. */
export const readEntries = (query: Query, window: Window) => query<EntryRow>(entriesIn, values(window));

/** The same with bodies, for when they are known to be needed. */
export const readEntriesWithBodies = (query: Query, window: Window) =>
  query<EntryRow & BodyRow>(entriesWithBodiesIn, values(window));

const windowColumns: Columns<Window> = {
  thread_uid: ['uuid', (w) => w.threadUid],
  after: ['int', (w) => w.after],
  through: ['int', (w) => w.through],
  also: ['text', (w) => `{${w.also.join(',')}}`],
};

const readable = `${columns}, body, media`;
const isVisibleIn = '(rewound_before = 0 OR rewound_before > w.through)';

const windowsText = `
  SELECT w.n::int AS n, m.* FROM (
    SELECT $1::uuid AS project_id, a.*
    FROM ${unnested(windowColumns, 2)} WITH ORDINALITY AS a(${Object.keys(windowColumns).join(', ')}, n)
  ) w CROSS JOIN LATERAL (
    SELECT ${readable} FROM messages WHERE project_id = w.project_id AND thread_uid = w.thread_uid
      AND seq > w.after AND seq <= w.through AND ${isVisibleIn}
    UNION ALL
    SELECT ${readable} FROM messages WHERE project_id = w.project_id AND thread_uid = w.thread_uid
      AND seq = ANY(w.also::int[]) AND NOT (seq > w.after AND seq <= w.through) AND ${isVisibleIn}
    ${oneByOne}
  ) m ORDER BY w.n, m.seq`;

/** Entries with bodies of several windows of one project, in order of the windows. The same as one by one. */
export async function readWindows(
  query: Query,
  windows: readonly Window[],
): Promise<(EntryRow & BodyRow)[][]> {
  const rows = await query<EntryRow & BodyRow & { n: number }>({ name: 'read-windows', text: windowsText }, [
    windows[0]!.projectId,
    ...valuesOf(windowColumns, windows),
  ]);
  const read = windows.map((): (EntryRow & BodyRow)[] => []);
  for (const { n, ...row } of rows) read[n - 1]!.push(row);
  return read;
}

/** Bodies of messages by seq, rewound ones too. */
export const readBodies = (query: Query, projectId: string, threadUid: string, seqs: readonly number[]) =>
  query<BodyRow & { createdAt: Date; sentAt: Date | null; rewoundBefore: number }>(
    {
      name: 'read-bodies',
      text: `SELECT seq, body, format, media, created_at AS "createdAt", sent_at AS "sentAt", rewound_before AS "rewoundBefore" FROM messages WHERE project_id = $1 AND thread_uid = $2 AND seq = ANY($3) ORDER BY seq`,
    },
    [projectId, threadUid, seqs],
  );

/** Who wrote a summary: a model, code, or a caller. */
export type SummaryMaker = 'llm' | 'extractive' | 'caller';

/** A summary as a context shows it. */
export interface ShownSummary {
  generation: number;
  fromSeq: number;
  toSeq: number;
  method: SummaryMaker;
  text: string;
  tokens: number;
  carried: number[];
  clearedThrough: number;
  /** As JSON; null without any. */
  holds: string | null;
}

const summaryColumns = `generation, from_seq AS "fromSeq", to_seq AS "toSeq", method, text, tokens, carried,
          cleared_through AS "clearedThrough", holds`;

/** One generation; undefined when it was withdrawn. */
export async function shownSummary(query: Query, projectId: string, threadUid: string, generation: number) {
  const rows = await query<ShownSummary>(
    {
      name: 'shown-summary',
      text: `SELECT ${summaryColumns} FROM summaries
        WHERE project_id = $1 AND thread_uid = $2 AND generation = $3 AND withdrawn_at IS NULL`,
    },
    [projectId, threadUid, generation],
  );
  return rows[0];
}

/**
 * The summary that was active when `seq` was the newest message, whatever chain it is in; none that was undone, nor one
 * that a rewind had ended by then.
 */
export async function summaryAt(query: Query, projectId: string, threadUid: string, seq: number) {
  const rows = await query<ShownSummary>(
    {
      name: 'summary-at',
      text: `SELECT ${summaryColumns} FROM summaries
        WHERE project_id = $1 AND thread_uid = $2 AND withdrawn_at IS NULL AND undone_at IS NULL AND visible_from_seq <= $3
          AND to_seq <= $3 AND (rewound_before = 0 OR rewound_before > $3)
        ORDER BY generation DESC LIMIT 1`,
    },
    [projectId, threadUid, seq],
  );
  return rows[0];
}

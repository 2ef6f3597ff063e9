import type { Query } from '../../connection/store.js';

/** A place in the order of events. All of them lie after {xid: 0, id: 0}. */
export interface EventPosition {
  xid: string;
  id: string;
}

export interface EventRow extends EventPosition {
  projectId: string;
  threadId: string;
  type: string;
  /** JSON */
  data: string;
  at: Date;
}

/**
 * Why events are read below an edge. A sequence hands out its numbers before the commit, so the event with the lower
 * number may become visible after the one with the higher: a reader that remembers the highest number it saw would
 * skip it for ever. So each event carries the number of its transaction, and what is read lies below the oldest
 * transaction that is still under way. Nothing can appear there any more, and in the order of (xid, id) a place once
 * passed stays passed. Transactions are counted anew in each cluster that the database is restored into, so each has
 * an epoch that comes first in the order (begin-event-epoch.ts). The price: a long transaction that writes, of whatever program, holds events back.
 */
export const eventsEdgeXid = `(SELECT spillway_event_base() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`;

const columns = `e.project_id AS "projectId", e.xid::text AS xid, e.id::text AS id, t.id AS "threadId", e.type, e.data, e.at`;

/** Where the next event that can be read will come after: nothing that is seen later lies before it. */
export async function eventsEdge(query: Query): Promise<EventPosition> {
  const [row] = await query<{ xid: string }>(
    { name: 'events-edge', text: `SELECT ${eventsEdgeXid}::text AS xid` },
    [],
  );
  return { xid: row!.xid, id: '0' };
}

/**
 * Where the events of transactions begin that have not begun to write. Unlike the edge it leaves out what is written
 * already and held back by an older transaction.
 */
export async function eventsFromNow(query: Query): Promise<EventPosition> {
  const [row] = await query<{ xid: string }>(
    {
      name: 'events-from-now',
      text: 'SELECT (spillway_event_base() + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text AS xid',
    },
    [],
  );
  return { xid: row!.xid, id: '0' };
}

export interface EventPage {
  rows: EventRow[];
  /** Everything up to here was read. */
  through: EventPosition;
  /** There is more below the edge. */
  more: boolean;
}

/** The oldest events of these projects after a place, at most `limit`; of one thread when its id is given. */
export async function eventsAfter(
  query: Query,
  projectIds: readonly string[],
  after: EventPosition,
  limit: number,
  threadId: string | null = null,
): Promise<EventPage> {
  // Of one project they are read in the order of an index, however many there are to catch up on.
  const one = projectIds.length === 1;
  const found = await query<Partial<EventRow> & { edge: string }>(
    {
      name: one ? 'events-after' : 'events-of-projects-after',
      text: `WITH edge AS (SELECT ${eventsEdgeXid} AS xid)
        SELECT edge.xid::text AS edge, found.* FROM edge LEFT JOIN LATERAL (
          SELECT ${columns} FROM events e JOIN threads t ON t.project_id = e.project_id AND t.uid = e.thread_uid
          WHERE e.project_id = ${one ? '($1::uuid[])[1]' : 'ANY($1::uuid[])'}
            AND (e.xid, e.id) > ($2::bigint, $3::bigint) AND e.xid < edge.xid
            AND ($5::text IS NULL OR t.id = $5::text)
          ORDER BY e.xid, e.id LIMIT $4) found ON true
        ORDER BY found.xid::bigint, found.id::bigint`,
    },
    [projectIds, after.xid, after.id, limit, threadId],
  );
  const rows = found.filter((row): row is EventRow & { edge: string } => row.id !== null);
  const more = rows.length === limit;
  const last = rows.at(-1);
  const through =
    more && last ? { xid: last.xid, id: last.id } : later(after, { xid: found[0]!.edge, id: '0' });
  return { rows, through, more };
}

/** Of a thread, newest first, below the number `before`: a page to look at, in which order is all that matters. */
export const eventsOfThread = (
  query: Query,
  projectId: string,
  threadUid: string,
  before: number,
  limit: number,
) =>
  query<EventRow>(
    {
      name: 'events-of-thread',
      text: `SELECT ${columns} FROM events e JOIN threads t ON t.project_id = e.project_id AND t.uid = e.thread_uid
        WHERE e.project_id = $1 AND e.thread_uid = $2 AND e.id < $3::bigint ORDER BY e.id DESC LIMIT $4`,
    },
    [projectId, threadUid, before, limit],
  );

/** Events of one statement at most, so that a sweep never holds many locks. */
const batch = 5_000;

/** Removes events older than `keepMs`, and returns how many. */
export async function forgetEvents(query: Query, projectId: string, keepMs: number): Promise<number> {
  const rows = await query(
    {
      name: 'forget-events',
      text: `DELETE FROM events WHERE (project_id, xid, id) IN (
          SELECT project_id, xid, id FROM (
            SELECT project_id, xid, id, at FROM events WHERE project_id = $1 ORDER BY xid, id LIMIT ${batch}) oldest
          WHERE at < now() - $2::bigint * interval '1 ms') RETURNING id`,
    },
    [projectId, keepMs],
  );
  return rows.length;
}

export const compareEventPositions = (a: EventPosition, b: EventPosition): number =>
  Number(BigInt(a.xid) - BigInt(b.xid)) || Number(BigInt(a.id) - BigInt(b.id));

const later = (a: EventPosition, b: EventPosition): EventPosition =>
  compareEventPositions(a, b) > 0 ? a : b;

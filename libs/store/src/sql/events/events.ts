import type { Query } from '../../connection/store.js';

/** A position in the order of events. All events lie after {xid: 0, id: 0}. */
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
 * Why events are read below an edge. A sequence assigns numbers before the commit, so a lower number may become visible
 * after a higher one, and a reader that remembers the highest number would skip it. So each event carries the number of
 * its transaction, and only events below the oldest running transaction are read. Nothing can appear there any more: in
 * the order of (xid, id) a position once passed stays passed. Transaction ids restart in a cluster that the database is
 * restored into, so an epoch comes first in the order (begin-event-epoch.ts). The cost: a long writing transaction of
 * any program delays events.
 */
export const eventsEdgeXid = `(SELECT spillway_event_base() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`;

const columns = `e.project_id AS "projectId", e.xid::text AS xid, e.id::text AS id, t.id AS "threadId", e.type, e.data, e.at`;

/** The current edge: every event that becomes visible later lies after it. */
export async function eventsEdge(query: Query): Promise<EventPosition> {
  const [row] = await query<{ xid: string }>(
    { name: 'events-edge', text: `SELECT ${eventsEdgeXid}::text AS xid` },
    [],
  );
  return { xid: row!.xid, id: '0' };
}

/**
 * The position after everything that was written so far. Unlike the edge it skips events that are written already and
 * delayed by an older transaction.
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
  /** Everything up to this position was read. */
  through: EventPosition;
  /** There is more below the edge. */
  more: boolean;
}

/** The oldest events of these projects after a position, at most `limit`; of one thread when its id is given. */
export async function eventsAfter(
  query: Query,
  projectIds: readonly string[],
  after: EventPosition,
  limit: number,
  threadId: string | null = null,
): Promise<EventPage> {
  // Events of one project are read in index order, however far the reader is behind.
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

/** Events of a thread, newest first, below the id `before`, for display. */
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

/** Maximum of events per statement, to bound the number of locks. */
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

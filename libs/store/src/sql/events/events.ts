import type { Query, Statement } from '../../connection/store.js';
import { oneByOne } from '../messages/unnested.js';

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
 * Transactions of other databases in the server. A snapshot lists those as running too, although they cannot write an
 * event here. Each one that wrote holds a lock on itself and a lock on a relation of its database until it ends; what
 * is not recognized (a prepared transaction, one that has just ended) counts as one of this database, which only
 * delays.
 */
const elsewhere = `SELECT unnest(array_agg(transactionid) FILTER (WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock'))
    FROM pg_locks GROUP BY virtualtransaction HAVING bool_or(locktype = 'relation'
      AND database NOT IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())))`;

/**
 * Why events are read below an edge. A sequence assigns numbers before the commit, so a lower number may become visible
 * after a higher one, and a reader that remembers the highest number would skip it. So each event carries the number of
 * its transaction, and only events below the oldest running transaction of this database are read. Nothing can appear
 * there any more: in the order of (xid, id) a position once passed stays passed. Transaction ids restart in a cluster
 * that the database is restored into, so an epoch comes first in the order (begin-event-epoch.ts). The cost: a long
 * writing transaction in the database, of any program, delays events.
 */
export const eventsEdgeXid = `(SELECT spillway_event_base() + coalesce(
    (SELECT min(running::text::bigint) FROM pg_snapshot_xip(pg_current_snapshot()) AS running
      WHERE running::xid NOT IN (${elsewhere})),
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint))`;

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

/**
 * Maximum of events in one read. A constant of the statements: with a parameter Postgres would plan for a tenth of all
 * events.
 */
export const eventsPerPage = 500;

/**
 * The oldest events of these projects after a position, at most a page; of one thread of one project when its id is
 * given. Reads events in the order of their index, however many there are and however far the reader is behind.
 */
export function eventsAfter(
  query: Query,
  projectIds: readonly string[],
  after: EventPosition,
  threadId: string | null = null,
): Promise<EventPage> {
  const values = [projectIds, after.xid, after.id];
  if (threadId !== null) return eventPage(query, after, eventsOfThreadAfter, [...values, threadId]);
  return eventPage(
    query,
    after,
    projectIds.length === 1 ? eventsOfProjectAfter : eventsOfProjectsAfter,
    values,
  );
}

const isAfter = `(xid, id) > ($2::bigint, $3::bigint) AND xid < edge.xid`;

/** The threads are looked up for the page alone: joined earlier, Postgres may read the events of each thread. */
const pageOf = (events: string): string => `WITH edge AS (SELECT ${eventsEdgeXid} AS xid)
  SELECT edge.xid::text AS edge, found.* FROM edge LEFT JOIN LATERAL (
    SELECT ${columns} FROM (${events} ORDER BY xid, id LIMIT ${eventsPerPage}) e
    CROSS JOIN LATERAL (SELECT id FROM threads WHERE project_id = e.project_id AND uid = e.thread_uid ${oneByOne}) t
  ) found ON true ORDER BY found.xid::bigint, found.id::bigint`;

const eventsOfProjectAfter = {
  name: 'events-after',
  text: pageOf(`SELECT * FROM events WHERE project_id = ($1::uuid[])[1] AND ${isAfter}`),
};

const eventsOfProjectsAfter = {
  name: 'events-of-projects-after',
  text: pageOf(`SELECT of_project.* FROM unnest($1::uuid[]) AS project(id) CROSS JOIN LATERAL (
      SELECT * FROM events WHERE project_id = project.id AND ${isAfter}
      ORDER BY xid, id LIMIT ${eventsPerPage}) of_project`),
};

const eventsOfThreadAfter = {
  name: 'events-of-thread-after',
  text: pageOf(`SELECT * FROM (
      SELECT * FROM events WHERE project_id = ($1::uuid[])[1] AND ${isAfter}
        AND thread_uid = (SELECT uid FROM threads WHERE project_id = ($1::uuid[])[1] AND id = $4::text)
      ${oneByOne}) of_thread`),
};

async function eventPage(
  query: Query,
  after: EventPosition,
  statement: Statement,
  values: unknown[],
): Promise<EventPage> {
  const found = await query<Partial<EventRow> & { edge: string }>(statement, values);
  const rows = found.filter((row): row is EventRow & { edge: string } => row.id !== null);
  const more = rows.length === eventsPerPage;
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

/** What one call of `keepEvents` did. */
export interface KeptEvents {
  /** Partitions of days to come. */
  added: number;
  /** Partitions of which every event was older than seven days. */
  dropped: number;
  /** Old events of the default partition, at most 5,000. */
  deleted: number;
}

/**
 * Keeps seven days of events, of all projects: the function of the database adds the partitions of the next two days,
 * drops those that are over, and removes what is old from the default partition, at most a batch. Guarantees that no
 * younger event is removed, and that an append waits for it a tenth of a second at most: what it cannot lock by then is
 * left to the next call. An event for whose day there is no partition goes to the default one.
 */
export async function keepEvents(query: Query): Promise<KeptEvents> {
  const rows = await query<KeptEvents>(
    { name: 'keep-events', text: 'SELECT added, dropped, deleted FROM spillway_keep_events()' },
    [],
  );
  return rows[0]!;
}

export const compareEventPositions = (a: EventPosition, b: EventPosition): number =>
  Number(BigInt(a.xid) - BigInt(b.xid)) || Number(BigInt(a.id) - BigInt(b.id));

const later = (a: EventPosition, b: EventPosition): EventPosition =>
  compareEventPositions(a, b) > 0 ? a : b;

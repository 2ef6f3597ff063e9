import type pg from 'pg';

const newest = 'epoch = (SELECT max(epoch) FROM event_epochs)';

/** An epoch from before timelines were recorded has none, and says nothing about them. */
const isElsewhere = `SELECT FROM event_epochs, pg_control_system() here WHERE ${newest}
  AND ($1 OR event_epochs.system_identifier <> here.system_identifier::text OR event_epochs.timeline <> $2::int)`;

/**
 * Begins an epoch of events when the transaction ids of the database may have gone back: it was restored into another
 * cluster, recovered to an earlier moment, or a standby was promoted, which may lack the last transactions of its
 * primary. New events then follow all earlier ones, for webhooks and for readers that resume. An epoch too many costs
 * nothing. A copy of the disk that was put back shows none of this: `always` begins one.
 */
export async function beginEventEpoch(client: pg.Client, always: boolean): Promise<boolean> {
  const timeline = await timelineOf(client);
  const { rowCount } = await client.query(isElsewhere, [always, timeline]);
  if (rowCount === 0) {
    if (timeline !== null)
      await client.query(`UPDATE event_epochs SET timeline = $1 WHERE ${newest} AND timeline IS NULL`, [
        timeline,
      ]);
    return false;
  }
  await client.query('BEGIN');
  // Waits for transactions that write events: one that ended later would precede events that readers have already.
  await client.query('LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
  await client.query(
    `INSERT INTO event_epochs (epoch, system_identifier, timeline)
      SELECT (SELECT max(epoch) FROM event_epochs) + 1, system_identifier::text, $1 FROM pg_control_system()`,
    [timeline],
  );
  await client.query('COMMIT');
  return true;
}

/**
 * The timeline of the write-ahead log, which each recovery and each promotion increases. The control file has it only
 * from the next checkpoint on. Null where the role may not ask for it, or a provider's Postgres has none: that must keep
 * no migration from running.
 */
async function timelineOf(client: pg.Client): Promise<number | null> {
  try {
    const { rows } = await client.query<{ timeline: number }>(
      `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`,
    );
    return rows[0]!.timeline;
  } catch {
    return null;
  }
}

import type pg from 'pg';

const isElsewhere = `SELECT FROM event_epochs, pg_control_system() here
  WHERE epoch = (SELECT max(epoch) FROM event_epochs) AND event_epochs.system_identifier <> here.system_identifier::text`;

/**
 * Begins an epoch of events when the database was restored into another Postgres cluster, whose transaction ids
 * restart: new events then follow all earlier ones, for webhooks and for readers that resume.
 */
export async function beginEventEpoch(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(isElsewhere);
  if (rowCount === 0) return false;
  await client.query('BEGIN');
  // Waits for transactions that write events: one that ended later would precede events that readers have already.
  await client.query('LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
  await client.query(`INSERT INTO event_epochs (epoch, system_identifier)
    SELECT (SELECT max(epoch) FROM event_epochs) + 1, system_identifier::text FROM pg_control_system()`);
  await client.query('COMMIT');
  return true;
}

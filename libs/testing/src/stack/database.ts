import { randomBytes } from 'node:crypto';
import { asProject, migrate, type Query, type Store } from '@spillway/store';
import pg from 'pg';

/**
 * A database in which all migrations ran once. Others are copies of it, which take a tenth of the time. Its events have
 * partitions from the day on that it was made, so a run that passes midnight makes another.
 */
const templateOfToday = (): string =>
  `spillway_migrated_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;

/** Creates a migrated database: on `server`, or as a copy on the test run's Postgres. */
export async function freshDatabase(server?: string): Promise<string> {
  const shared = process.env.SPILLWAY_TEST_POSTGRES;
  if (!server && !shared) throw new Error('SPILLWAY_TEST_POSTGRES is not set: run the tests with npm test.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client(server ?? shared);
  await client.connect();
  try {
    if (server) return await migrated(client, server, name);
    const template = templateOfToday();
    await ensureTemplate(client, shared!, template);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return urlOf(shared!, name);
  } finally {
    await client.end();
  }
}

/** Creates the template unless it exists. Test files run in several processes, and one of them creates it. */
async function ensureTemplate(client: pg.Client, server: string, template: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(1)');
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
  if (!rowCount) {
    const name = `${template}_soon`;
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await migrated(client, server, name);
    await client.query(`ALTER DATABASE ${name} RENAME TO ${template}`);
    // A database without connections can be copied.
    await client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  }
  await client.query('SELECT pg_advisory_unlock(1)');
}

/** Creates a database with the migrations up to this one, like an earlier version. */
export async function databaseOf(lastMigration: string): Promise<string> {
  const server = process.env.SPILLWAY_TEST_POSTGRES!;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await rowsOf(server, `CREATE DATABASE ${name}`);
  const url = urlOf(server, name);
  await migrate(url, { through: lastMigration });
  return url;
}

async function migrated(client: pg.Client, server: string, name: string): Promise<string> {
  await client.query(`CREATE DATABASE ${name}`);
  await migrate(urlOf(server, name));
  return urlOf(server, name);
}

const urlOf = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

/** Rows of one statement, to check the database directly. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
) {
  const client = new pg.Client(url);
  // Faults end connections, also between two calls. The next call rejects; this event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Statements of a store for one project, as the service itself runs them. */
export const queryAs =
  (store: Store, projectId: string): Query =>
  (statement, values) =>
    asProject(projectId, 'test', () => store.query(statement, values));

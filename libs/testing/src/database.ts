import { randomBytes } from 'node:crypto';
import { asProject, migrate, type Query, type Store } from '@spillway/store';
import pg from 'pg';

/** A fresh, migrated database: on `server`, or on the test run's Postgres. */
export async function freshDatabase(server = process.env.SPILLWAY_TEST_POSTGRES): Promise<string> {
  if (!server) throw new Error('SPILLWAY_TEST_POSTGRES is not set: run the tests with npm test.');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return url.href;
}

/** Rows of one statement, for looking behind the API. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
) {
  const client = new pg.Client(url);
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

import type { Client } from 'pg';
import { causeOf } from '../program/explain-error.js';
import { notChecked, ok, problem, warning, type Finding } from './finding.js';
import { requestTimeoutMs } from './check-server.js';

/** The major version with which Spillway is tested. */
const testedMajor = 18;

/** Looks at the Postgres of DATABASE_URL itself, without anything of the service. Reads only. */
export async function checkPostgres(url: string | undefined): Promise<Finding[]> {
  const check = 'postgres here';
  if (!url)
    return [notChecked(check, 'DATABASE_URL is not set here, so Postgres was not looked at directly.')];
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: requestTimeoutMs,
    query_timeout: requestTimeoutMs,
    application_name: 'spillway doctor',
  });
  // A connection that is lost between two statements is an event; the next statement fails by itself.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return [await versionAndClock(client), await connections(client), await migrations(client)];
  } catch (error) {
    return [
      problem(
        check,
        `The Postgres of DATABASE_URL cannot be used: ${causeOf(error as Error)}.`,
        'If the API has the same setting, it cannot use it either.',
        'Check host, port, user, password and database in DATABASE_URL, and that Postgres runs.',
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function versionAndClock(client: Client): Promise<Finding> {
  const started = Date.now();
  const { rows } = await client.query<{ version: string; number: number; at: Date }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number, now() AS at",
  );
  const { version, number, at } = rows[0]!;
  const ms = Date.now() - started;
  if (Math.floor(number / 10_000) < testedMajor)
    return warning(
      'postgres here',
      `Postgres is ${version}.`,
      `Spillway is tested with ${testedMajor} alone.`,
      'Upgrade Postgres: pg_upgrade keeps the data.',
    );
  const skewMs = Math.abs(at.getTime() - (started + ms / 2));
  if (skewMs > 30_000)
    return warning(
      'postgres here',
      `Its clock differs from this one by ${Math.round(skewMs / 1_000)} s.`,
      'Leases, back-offs and expiry go by the clock of Postgres.',
      'Set both clocks by NTP.',
    );
  return ok('postgres here', `Postgres ${version} answers, in ${ms} ms.`);
}

async function connections(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ used: number; max: number }>(
    "SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used, current_setting('max_connections')::int AS max",
  );
  const { used, max } = rows[0]!;
  if (used < 0.9 * max) return ok('postgres connections', `${used} of ${max} are in use.`);
  return warning(
    'postgres connections',
    `${used} of ${max} are in use.`,
    'A process that gets none answers with 503.',
    'Lower SPILLWAY_POOL of API and workers, or raise max_connections.',
  );
}

/** Prisma's table of migrations says which were begun and not finished. */
async function migrations(client: Client): Promise<Finding> {
  const check = 'migrations';
  const { rows } = await client
    .query<{ name: string; done: boolean }>(
      'SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
    )
    .catch((error: Error & { code?: string }) => {
      if (error.code === '42P01' || error.code === '42501') return { rows: error.code };
      throw error;
    });
  if (rows === '42501')
    return notChecked(check, 'The user of DATABASE_URL may not read the table of migrations.');
  const unfinished = typeof rows === 'string' ? [] : rows.filter(({ done }) => !done);
  if (typeof rows === 'string' || rows.length === 0)
    return problem(
      check,
      'This database has no tables of Spillway.',
      'DATABASE_URL names another database than the API uses, or migrations never ran.',
      'Check the name of the database in DATABASE_URL; the API applies the migrations when it starts.',
    );
  if (unfinished.length > 0)
    return problem(
      check,
      `The migration ${unfinished[0]!.name} was begun and not finished.`,
      'The tables are between two versions.',
      'The log of the API has the error. Repair its reason, then start the API again.',
    );
  return ok(check, `All ${rows.length} are finished, the last is ${rows.at(-1)!.name}.`);
}

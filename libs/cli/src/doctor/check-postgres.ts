import type { Client } from 'pg';
import { causeOf } from '../program/explain-error.js';
import { notChecked, ok, problem, warning, type Finding } from './finding.js';
import { requestTimeoutMs } from './check-server.js';

/** The oldest major version that Spillway was tried with. */
const minMajor = 15;

const migrating =
  '`docker compose run --rm migrate`, `npm start`, or the Job of the Helm chart. The API applies no migrations.';

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
    return [...(await versionAndClock(client)), await connections(client), await migrations(client)];
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

async function versionAndClock(client: Client): Promise<Finding[]> {
  const started = Date.now();
  const { rows } = await client.query<{ version: string; number: number; at: Date }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number, now() AS at",
  );
  const { version, number, at } = rows[0]!;
  const ms = Date.now() - started;
  return [versionFinding({ version, number, ms }), clockFinding(at.getTime() - (started + ms / 2))];
}

/** `number` is that of server_version_num, such as 180001. */
export function versionFinding(postgres: { version: string; number: number; ms: number }): Finding {
  const { version, number, ms } = postgres;
  if (Math.floor(number / 10_000) >= minMajor)
    return ok('postgres here', `Postgres ${version} answers, in ${ms} ms.`);
  return warning(
    'postgres here',
    `Postgres is ${version}.`,
    `Nobody has tried Spillway with a Postgres older than ${minMajor}.`,
    'Upgrade Postgres: pg_upgrade keeps the data.',
  );
}

function clockFinding(skewMs: number): Finding {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (seconds <= 30) return ok('postgres clock', `Differs from this one by ${seconds} s or less.`);
  return warning(
    'postgres clock',
    `Its clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this one.`,
    'Leases, back-offs and expiry go by the clock of Postgres.',
    'Set both clocks by NTP.',
  );
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
      `Check the name of the database in DATABASE_URL, or run migrations: ${migrating}`,
    );
  if (unfinished.length > 0)
    return problem(
      check,
      `The migration ${unfinished[0]!.name} was begun and not finished.`,
      'The tables are between two versions.',
      `The log of the migrations has the error. Repair its reason, mark the migration with \`prisma migrate resolve\`, then run migrations again: ${migrating}`,
    );
  return ok(check, `All ${rows.length} are finished, the last is ${rows.at(-1)!.name}.`);
}

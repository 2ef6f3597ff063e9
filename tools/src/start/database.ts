import pg from 'pg';
import { errorCode, StartError, startPostgres, type Teardown } from '@spillway/embedded';
import type { Place, Start } from './start-options.js';

const embeddedHint = 'correct DATABASE_URL, or unset it to use the embedded Postgres';

/** The database to use: the given one, or an embedded Postgres started now. */
export async function openDatabase(start: Start, place: Place, teardown: Teardown): Promise<string> {
  if (start.databaseUrl !== null) return start.databaseUrl;
  start.say('Starting Postgres');
  const where = place.temporary ? ({ temporary: true } as const) : { dataDir: place.folder };
  const postgres = await startPostgres({
    ...where,
    durable: !place.temporary,
    revive: true,
    say: start.say,
    signal: start.signal,
  });
  teardown.add('Postgres', () => postgres.stop());
  return postgres.url;
}

/** Throws a StartError with what is wrong unless the database lets us in. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    throw new StartError(`${complaint(error, new URL(url))}: ${embeddedHint}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Says what is wrong without repeating the password that the URL holds. */
function complaint(error: unknown, url: URL): string {
  const server = url.host || 'the default host';
  const detail = error instanceof Error && error.message ? error.message : (errorCode(error) ?? 'unknown');
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return `No Postgres answers at ${server}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${url.hostname} of DATABASE_URL is unknown`;
    case '28P01':
    case '28000':
      return `Postgres at ${server} refused the user or password (${detail})`;
    case '3D000':
      return `Postgres at ${server} has no database ${url.pathname.slice(1)}: create it, or`;
    default:
      return `Postgres at ${server} cannot be used (${detail})`;
  }
}

import pg from 'pg';
import { errorCode, StartError, startPostgres, type Teardown } from '@spillway/embedded';
import type { StartFolder, Start } from './start-options.js';

/** The database to use: the given one, or an embedded Postgres started now. */
export async function openDatabase(start: Start, folder: StartFolder, teardown: Teardown): Promise<string> {
  if (start.databaseUrl !== null) return start.databaseUrl;
  start.say('Starting Postgres');
  const where = folder.temporary ? ({ temporary: true } as const) : { dataDir: folder.folder };
  const postgres = await startPostgres({
    ...where,
    durable: !folder.temporary,
    revive: true,
    say: start.say,
    signal: start.signal,
  });
  teardown.add('Postgres', () => postgres.stop());
  return postgres.url;
}

/** Throws a StartError with the reason unless the database accepts the connection. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } catch (error) {
    const create = errorCode(error) === '3D000' ? 'create it, ' : '';
    throw new StartError(
      `${complaint(error, new URL(url))}: ${create}correct DATABASE_URL, or unset it to use the embedded Postgres.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The reason without the password in the URL. */
function complaint(error: unknown, url: URL): string {
  const server = url.host || 'the default host';
  const detail = error instanceof Error && error.message ? error.message : String(error);
  const unknownHost = `The host ${url.hostname} of DATABASE_URL is unknown`;
  const refused = `Postgres at ${server} refused the user or password (${detail})`;
  const known: Record<string, string> = {
    ECONNREFUSED: `No Postgres answers at ${server}`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
    '28P01': refused,
    '28000': refused,
    '3D000': `Postgres at ${server} has no database ${url.pathname.slice(1)}`,
  };
  return known[errorCode(error) ?? ''] ?? `Postgres at ${server} cannot be used (${detail})`;
}

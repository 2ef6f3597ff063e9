import pg from 'pg';

/**
 * Creates or corrects the login role of API and workers: user and password of `runtimeUrl`. It owns nothing, has no
 * rights of its own, and can only switch to `spillway_app`, which row-level security binds. So code that connects
 * through it can neither disable row-level security nor become the owner. Needs a role that may create roles.
 */
export async function ensureRuntimeRole(ownerUrl: string, runtimeUrl: string): Promise<void> {
  const { username, password, pathname } = new URL(runtimeUrl);
  const [role, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const owner = decodeURIComponent(new URL(ownerUrl).username);
  if (role === '' || secret === '')
    throw new Error('DATABASE_URL must hold the user and password of the runtime role.');
  if (role === owner) throw new Error(`The runtime role must not be ${owner}, which owns the tables.`);
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    const name = pg.escapeIdentifier(role);
    const may = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD ${pg.escapeLiteral(secret)}`;
    await client.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} ${may}`);
    await client.query(`GRANT spillway_app TO ${name}`);
    const database = pg.escapeIdentifier(decodeURIComponent(pathname.slice(1)));
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`);
    // Before Postgres 15 every role may create tables here.
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  } finally {
    await client.end();
  }
}

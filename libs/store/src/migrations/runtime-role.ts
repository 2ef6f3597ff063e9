import pg from 'pg';

/**
 * Creates or corrects the login role of API and workers: user and password of `runtimeUrl`. It owns nothing, has no
 * rights of its own, and can only switch to `spillway_app`, which row-level security binds. So code that connects
 * through it can neither disable row-level security nor become the owner.
 *
 * Changes only what differs: Postgres refuses a role that may create roles and is no superuser, as the administrator of
 * a managed Postgres is, to mention attributes that only a superuser may change. An owner that may create no roles needs
 * none when an administrator has made the role. Throws what an administrator has to run otherwise.
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
    await makeRole(client, { role, secret, runtimeUrl });
    const name = pg.escapeIdentifier(role);
    const database = pg.escapeIdentifier(decodeURIComponent(pathname.slice(1)));
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`);
    // Before Postgres 15 every role may create tables here.
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  } finally {
    await client.end();
  }
}

interface Login {
  role: string;
  secret: string;
  runtimeUrl: string;
}

async function makeRole(client: pg.Client, { role, secret, runtimeUrl }: Login): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const known = await readRole(client, role);
  if (known?.isSuperuser) {
    throw new Error(
      `DATABASE_URL logs in as ${role}, a superuser, which row-level security does not bind: name a role of its own.`,
    );
  }
  const password = `PASSWORD ${pg.escapeLiteral(secret)}`;
  try {
    if (!known) await client.query(`CREATE ROLE ${name} LOGIN NOINHERIT ${password}`);
    else if (known.corrections !== '' || !(await canLogIn(runtimeUrl)))
      await client.query(`ALTER ROLE ${name} ${known.corrections} ${password}`);
    if (!known?.isMember) await client.query(`GRANT spillway_app TO ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    throw new Error(`Let an administrator run: ${statementsFor(name, known)}`, { cause: error });
  }
}

const insufficientPrivilege = '42501';

interface KnownRole {
  isSuperuser: boolean;
  isMember: boolean;
  /** Attributes to change, as ALTER ROLE has them. */
  corrections: string;
}

async function readRole(client: pg.Client, role: string): Promise<KnownRole | undefined> {
  const { rows } = await client.query<KnownRole>(
    `SELECT rolsuper AS "isSuperuser", pg_has_role(oid, 'spillway_app', 'MEMBER') AS "isMember",
       concat_ws(' ', CASE WHEN NOT rolcanlogin THEN 'LOGIN' END, CASE WHEN rolinherit THEN 'NOINHERIT' END,
         CASE WHEN rolcreatedb THEN 'NOCREATEDB' END, CASE WHEN rolcreaterole THEN 'NOCREATEROLE' END,
         CASE WHEN rolreplication THEN 'NOREPLICATION' END, CASE WHEN rolbypassrls THEN 'NOBYPASSRLS' END) AS corrections
     FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  return rows[0];
}

/** Whether the role has this password already. Throws when the server does not answer. */
async function canLogIn(runtimeUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: runtimeUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    // Of class 28 are a wrong password and a server that lets the role in from elsewhere only.
    if (code.startsWith('28')) return false;
    // The password is right, and the role may not connect to this database yet.
    if (code === insufficientPrivilege) return true;
    throw error;
  } finally {
    await client.end();
  }
}

/** Without the password, which would be in the log. */
function statementsFor(name: string, known: KnownRole | undefined): string {
  const grant = known?.isMember ? '' : `; GRANT spillway_app TO ${name}`;
  const verb = known
    ? `ALTER ROLE ${name} ${known.corrections}`.trimEnd()
    : `CREATE ROLE ${name} LOGIN NOINHERIT`;
  return `${verb} PASSWORD 'the one of DATABASE_URL'${grant}`;
}

import type pg from 'pg';

const createRole = 'CREATE ROLE spillway_app NOLOGIN;';

/**
 * Returns a migration without the statement that creates the role of API and workers, when an administrator has created
 * it. Postgres refuses that statement to an owner of the tables who may create no roles before it sees that the role
 * exists. What is recorded is the checksum of the migration as it is.
 */
export async function withoutExistingRole(client: pg.Client, sql: string): Promise<string> {
  if (!sql.includes(createRole) || !(await roleExists(client))) return sql;
  return sql.replace(createRole, 'NULL;');
}

/**
 * What to do about a migration that was refused because its user is not a member of the role, or one that inherits
 * nothing from it, and may not grant it. Undefined for other errors.
 */
export async function adviceOnRole(client: pg.Client, error: unknown): Promise<string | undefined> {
  const isRefused = (error as { code?: string }).code === '42501';
  if (!isRefused || !(await roleExists(client))) return undefined;
  const { rows } = await client.query<{ user: string; inherits: boolean; version: number }>(
    `SELECT quote_ident(current_user) AS user, pg_has_role(current_user, 'spillway_app', 'USAGE') AS inherits,
       current_setting('server_version_num')::int AS version`,
  );
  const { user, inherits, version } = rows[0]!;
  if (inherits) return undefined;
  // Until Postgres 15 all memberships of a role inherit or none do.
  const grant = `GRANT spillway_app TO ${user}`;
  const statements =
    version < 160_000 ? `ALTER ROLE ${user} INHERIT; ${grant}` : `${grant} WITH INHERIT TRUE`;
  return `Let an administrator run: ${statements}`;
}

const roleExists = async (client: pg.Client): Promise<boolean> => {
  const { rowCount } = await client.query(`SELECT FROM pg_roles WHERE rolname = 'spillway_app'`);
  return rowCount === 1;
};

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

/** What to do about a migration that was refused because its user may not take on the role; undefined for other errors. */
export async function adviceOnRole(client: pg.Client, error: unknown): Promise<string | undefined> {
  const isRefused = (error as { code?: string }).code === '42501';
  if (!isRefused || !(await roleExists(client))) return undefined;
  const { rows } = await client.query<{ user: string; member: boolean }>(
    `SELECT quote_ident(current_user) AS user, pg_has_role(current_user, 'spillway_app', 'MEMBER') AS member`,
  );
  const { user, member } = rows[0]!;
  return member ? undefined : `Let an administrator run: GRANT spillway_app TO ${user}`;
}

const roleExists = async (client: pg.Client): Promise<boolean> => {
  const { rowCount } = await client.query(`SELECT FROM pg_roles WHERE rolname = 'spillway_app'`);
  return rowCount === 1;
};

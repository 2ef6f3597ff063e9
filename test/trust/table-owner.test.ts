import { asProject, asService, ensureRuntimeRole, migrate, openStore } from '@spillway/store';
import { freshDatabase, rowsOf, startOwnPostgres, type OwnPostgres } from '@spillway/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: OwnPostgres;
beforeAll(async () => {
  // Roles belong to the whole server: here no migration has run.
  server = await startOwnPostgres();
});
afterAll(() => server?.stop());

const asAdministrator = (...statements: string[]) => rowsOf(server.url, statements.join('; '));

/** The URL of a new database whose owner is no superuser, and may create no roles unless `may` says so. */
async function databaseOfOwner(owner: string, may = ''): Promise<string> {
  await asAdministrator(`CREATE ROLE ${owner} LOGIN PASSWORD 'owner' NOSUPERUSER ${may}`);
  await asAdministrator(`CREATE DATABASE ${owner} OWNER ${owner}`);
  return Object.assign(new URL(server.url), { username: owner, password: 'owner', pathname: owner }).href;
}

/** The same database for another user. */
const asUser = (url: string, username: string, password: string): string =>
  Object.assign(new URL(url), { username, password }).href;

/** What API and workers do: one project sees its own row alone. */
async function expectToServe(url: string): Promise<void> {
  const store = openStore({ url, maxConnections: 1, onError: (error) => expect.unreachable(error.message) });
  try {
    const [one] = await asService(async () => [
      await store.prisma.project.create({ data: { name: 'one' } }),
      await store.prisma.project.create({ data: { name: 'other' } }),
    ]);
    const names = await asProject(one.id, 'test', () =>
      store.query({ name: 'names', text: 'SELECT name FROM projects' }, []),
    );
    expect(names).toEqual([{ name: 'one' }]);
  } finally {
    await store.close();
  }
}

describe('an owner of the tables that may create no roles', () => {
  test('is told what an administrator has to run, and migrates after that', async () => {
    const url = await databaseOfOwner('careful');
    await expect(migrate(url)).rejects.toThrow(
      'Let an administrator run: CREATE ROLE spillway_app NOLOGIN, then GRANT spillway_app TO careful',
    );
    await asAdministrator('CREATE ROLE spillway_app NOLOGIN', 'GRANT spillway_app TO careful');
    expect((await migrate(url)).length).toBeGreaterThan(10);
    expect(await migrate(url)).toEqual([]);
    await expectToServe(url);
  });

  test('is told to be made a member of the role that another installation has', async () => {
    const url = await databaseOfOwner('late');
    const advised = 'GRANT spillway_app TO late WITH INHERIT TRUE';
    await expect(migrate(url)).rejects.toThrow(`Let an administrator run: ${advised}`);
    await asAdministrator(advised);
    expect((await migrate(url)).length).toBeGreaterThan(10);
    await expectToServe(url);
  });

  test('is told to inherit from the role, when it does not', async () => {
    const url = await databaseOfOwner('heirless', 'NOINHERIT');
    await asAdministrator('GRANT spillway_app TO heirless');
    const advised = 'GRANT spillway_app TO heirless WITH INHERIT TRUE';
    await expect(migrate(url)).rejects.toThrow(`Let an administrator run: ${advised}`);
    await asAdministrator(advised);
    expect((await migrate(url)).length).toBeGreaterThan(10);
    await expectToServe(url);
  });

  test('leaves the role that API and workers log in as to the administrator, too', async () => {
    const url = await databaseOfOwner('apart');
    await asAdministrator('GRANT spillway_app TO apart');
    await migrate(url);
    await asAdministrator(`CREATE ROLE runs LOGIN NOINHERIT PASSWORD 'runs'`, 'GRANT spillway_app TO runs');
    await expectToServe(Object.assign(new URL(url), { username: 'runs', password: 'runs' }).href);
  });

  test('has the checksums that every other owner has', async () => {
    const databaseUrl = await databaseOfOwner('checked');
    await asAdministrator('GRANT spillway_app TO checked');
    await migrate(databaseUrl);
    const checksums = (url: string) =>
      rowsOf(url, 'SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1');
    expect(await checksums(databaseUrl)).toEqual(await checksums(await freshDatabase(server.url)));
  });
});

describe('an owner that may create roles and is no superuser, as on a managed Postgres', () => {
  let url: string;
  beforeAll(async () => {
    url = await databaseOfOwner('managed', 'CREATEROLE');
    // The role of the server may be another installation's.
    await asAdministrator('GRANT spillway_app TO managed WITH INHERIT TRUE, ADMIN TRUE');
    await migrate(url);
  });

  test('makes the role of API and workers, again at each migration, and gives it another password', async () => {
    const runtime = asUser(url, 'managed_runtime', 'first');
    await ensureRuntimeRole(url, runtime);
    await ensureRuntimeRole(url, runtime);
    await expectToServe(runtime);
    const changed = asUser(url, 'managed_runtime', 'second');
    await ensureRuntimeRole(url, changed);
    await expect(rowsOf(runtime, 'SELECT 1')).rejects.toThrow(/password/);
    expect(await rowsOf(changed, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('takes a role away what it must not have', async () => {
    await asAdministrator(`CREATE ROLE managed_wide LOGIN INHERIT CREATEDB PASSWORD 'wide'`);
    const advised = `Let an administrator run: ALTER ROLE "managed_wide" NOINHERIT NOCREATEDB PASSWORD 'the one of DATABASE_URL'; GRANT spillway_app TO "managed_wide"`;
    await expect(ensureRuntimeRole(url, asUser(url, 'managed_wide', 'wide'))).rejects.toThrow(advised);
    await ensureRuntimeRole(server.url, asUser(server.url, 'managed_wide', 'wide'));
    expect(
      await asAdministrator(`SELECT rolinherit, rolcreatedb FROM pg_roles WHERE rolname = 'managed_wide'`),
    ).toEqual([{ rolinherit: false, rolcreatedb: false }]);
  });

  test('needs no right to create roles when an administrator has made the role', async () => {
    const poor = await databaseOfOwner('poor');
    await asAdministrator('GRANT spillway_app TO poor WITH INHERIT TRUE');
    await migrate(poor);
    const runtime = asUser(poor, 'poor_runtime', 'made');
    await expect(ensureRuntimeRole(poor, runtime)).rejects.toThrow(
      `Let an administrator run: CREATE ROLE "poor_runtime" LOGIN NOINHERIT PASSWORD 'the one of DATABASE_URL'; GRANT spillway_app TO "poor_runtime"`,
    );
    await asAdministrator(
      `CREATE ROLE poor_runtime LOGIN NOINHERIT PASSWORD 'made'`,
      'GRANT spillway_app TO poor_runtime',
    );
    await ensureRuntimeRole(poor, runtime);
    await expectToServe(runtime);
  });

  test('finds what summaries took today when it upgrades a database with attempts', async () => {
    const older = await databaseOfOwner('older');
    await asAdministrator('GRANT spillway_app TO older WITH INHERIT TRUE');
    await migrate(older, { through: '20270113000000_readable_ledger' });
    const administrator = Object.assign(new URL(server.url), { pathname: 'older' }).href;
    await rowsOf(
      administrator,
      `WITH p AS (INSERT INTO projects (name) VALUES ('spent') RETURNING id)
       INSERT INTO compaction_attempts (project_id, thread_uid, epoch, trigger, started_at, input_tokens, output_tokens)
       SELECT id, gen_random_uuid(), epoch, 'auto', started_at, tokens, 10 FROM p, (VALUES
         (1, now(), 100), (2, now(), 200), (3, now(), NULL), (4, now() - interval '1 day', 400)
       ) AS attempts(epoch, started_at, tokens)`,
    );
    expect(await migrate(older)).toContain('20270114000000_summary_tokens');
    const ofToday = 'SELECT summary_tokens::int AS tokens FROM usage_hours WHERE summary_tokens > 0';
    expect(await rowsOf(administrator, ofToday)).toEqual([{ tokens: 320 }]);
    // The figures of the operator have those of all days.
    const attempts = 'SELECT sum(summary_attempts)::int AS attempts, sum(summary_input_tokens)::int AS input';
    expect(await rowsOf(administrator, `${attempts} FROM usage_hours`)).toEqual([
      { attempts: 3, input: 700 },
    ]);
  });

  test('does not make a role of a superuser, which would lose its rights', async () => {
    await asAdministrator(`CREATE ROLE boss SUPERUSER LOGIN PASSWORD 'boss'`);
    await expect(ensureRuntimeRole(server.url, asUser(url, 'boss', 'boss'))).rejects.toThrow(
      /boss, a superuser/,
    );
    expect(await asAdministrator(`SELECT rolsuper FROM pg_roles WHERE rolname = 'boss'`)).toEqual([
      { rolsuper: true },
    ]);
  });
});

describe('a dump by an owner that row-level security binds', () => {
  test('has every row with the option that the guide names, and would have none without it', async () => {
    const url = await databaseOfOwner('dumped', 'CREATEROLE');
    await asAdministrator('GRANT spillway_app TO dumped WITH INHERIT TRUE');
    await migrate(url);
    await expectToServe(url);
    const tables = await rowsOf<{ name: string }>(
      url,
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
        AND relrowsecurity`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const counted = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int FROM "${name}"`);
    const counts = (by: string) => rowsOf<{ count: number }>(by, counted.join(' UNION ALL '));
    const all = await counts(Object.assign(new URL(server.url), { pathname: 'dumped' }).href);
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(2);
    // As PGOPTIONS='-c spillway.project=*' sets it for pg_dump.
    expect(await counts(`${url}?options=-c%20spillway.project%3D*`)).toEqual(all);
    const [projects] = await rowsOf(url, 'SELECT count(*)::int FROM projects');
    expect(projects).toEqual({ count: 0 });
  });
});

describe('the program that migrates', () => {
  const run = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['libs/store/dist/migrations/migrate-main.js'], { env });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, printed: printed.trim() };
  };

  test.each([
    [{ DATABASE_URL: 'localhost/spillway' }, 'DATABASE_URL must be a postgresql:// URL.'],
    [{ MIGRATION_DATABASE_URL: 'mysql://x' }, 'MIGRATION_DATABASE_URL must be a postgresql:// URL.'],
    [
      { DATABASE_URL: '', MIGRATION_DATABASE_URL: '' },
      'Neither DATABASE_URL nor MIGRATION_DATABASE_URL is set.',
    ],
  ])('says what is wrong with %j', async (env, printed) => {
    expect(await run(env)).toEqual({ code: 1, printed });
  });

  test('takes an empty MIGRATION_DATABASE_URL as none', async () => {
    const env = { DATABASE_URL: await freshDatabase(server.url), MIGRATION_DATABASE_URL: '' };
    expect(await run(env)).toEqual({ code: 0, printed: '' });
  });
});

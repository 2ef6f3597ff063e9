import { asProject, asService, migrate, openStore } from '@spillway/store';
import { freshDatabase, rowsOf, startOwnPostgres, type OwnPostgres } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: OwnPostgres;
beforeAll(async () => {
  // Roles belong to the whole server: here no migration has run.
  server = await startOwnPostgres();
});
afterAll(() => server?.stop());

const asAdministrator = (...statements: string[]) => rowsOf(server.url, statements.join('; '));

/** The URL of a new database whose owner may create no roles. */
async function databaseOfOwner(owner: string, more = ''): Promise<string> {
  await asAdministrator(`CREATE ROLE ${owner} LOGIN PASSWORD 'owner' NOSUPERUSER NOCREATEROLE ${more}`);
  await asAdministrator(`CREATE DATABASE ${owner} OWNER ${owner}`);
  return Object.assign(new URL(server.url), { username: owner, password: 'owner', pathname: owner }).href;
}

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

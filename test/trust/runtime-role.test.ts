import { asProject, asService, ensureRuntimeRole, openStore, type Store } from '@spillway/store';
import { freshDatabase } from '@spillway/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let owner: string;
let runtime: string;
let store: Store;
let client: pg.Client;
const projects: string[] = [];
beforeAll(async () => {
  owner = await freshDatabase();
  // Roles belong to the whole server, which other tests share.
  const role = `runtime_${randomBytes(6).toString('hex')}`;
  const url = new URL(owner);
  url.username = role;
  url.password = randomBytes(12).toString('hex');
  runtime = url.href;
  await ensureRuntimeRole(owner, runtime);
  store = openStore({ url: runtime, maxConnections: 2, onError: () => undefined });
  for (const name of ['ours', 'theirs']) {
    projects.push((await asService(async () => store.prisma.project.create({ data: { name } }))).id);
  }
  client = new pg.Client(runtime);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await store?.close();
});

const names = () => store.query<{ name: string }>({ name: 'names', text: 'SELECT name FROM projects' }, []);

describe('A101 the role that API and workers log in as', () => {
  test('serves a project its own rows', async () => {
    expect(await asProject(projects[0]!, 'test', names)).toEqual([{ name: 'ours' }]);
    expect(await asProject(projects[1]!, 'test', names)).toEqual([{ name: 'theirs' }]);
  });

  test('reads nothing once it has put off the role that row-level security binds', async () => {
    await client.query(
      `SELECT set_config('role', 'spillway_app', false), set_config('spillway.project', $1, false)`,
      [projects[0]],
    );
    expect((await client.query('SELECT name FROM projects')).rows).toEqual([{ name: 'ours' }]);
    await client.query('RESET ROLE');
    await expect(client.query('SELECT name FROM projects')).rejects.toThrow(/permission denied/);
    for (const role of ['postgres', new URL(owner).username]) {
      await expect(client.query(`SET ROLE ${pg.escapeIdentifier(role)}`)).rejects.toThrow(
        /permission denied|does not exist/,
      );
    }
  });

  test('cannot switch row-level security off, neither itself nor as the role it takes on', async () => {
    for (const role of ['none', 'spillway_app']) {
      await client.query(`SET ROLE ${role}`);
      await expect(client.query('ALTER TABLE projects DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
        /must be owner/,
      );
      await expect(client.query('ALTER TABLE projects OWNER TO CURRENT_USER')).rejects.toThrow(
        /must be owner/,
      );
      await expect(client.query('CREATE TABLE mine (id int)')).rejects.toThrow(/permission denied/);
      await expect(client.query('DROP TABLE audit_log')).rejects.toThrow(/must be owner/);
      await expect(client.query('CREATE ROLE other SUPERUSER')).rejects.toThrow(/permission denied/);
    }
    const { rows } = await client.query(
      'SELECT rolsuper, rolbypassrls, rolcreaterole, rolinherit FROM pg_roles WHERE rolname = session_user',
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolinherit: false }]);
  });

  test('gets another password when it is made again, and must not be the owner', async () => {
    const changed = new URL(runtime);
    changed.password = 'another';
    await ensureRuntimeRole(owner, changed.href);
    const again = new pg.Client(changed.href);
    await again.connect();
    await again.end();
    await expect(ensureRuntimeRole(owner, owner)).rejects.toThrow(/owns the tables/);
  });
});

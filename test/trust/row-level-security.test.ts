import { asProject, asService, openStore, type Store } from '@spillway/store';
import { apiOf, countSyncs, randomOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let store: Store;
let ours: string;
let theirs: string;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  const theirKey = await stack.addProject('theirs');
  await apiOf(stack).append('thread', { role: 'user', content: 'our secret' });
  await apiOf({ url: stack.url, key: theirKey }).append('thread', { role: 'user', content: 'their secret' });
  const projects = await rowsOf<{ id: string; name: string }>(
    stack.databaseUrl,
    'SELECT id, name FROM projects',
  );
  ours = projects.find((project) => project.name === 'default')!.id;
  theirs = projects.find((project) => project.name === 'theirs')!.id;
  // One connection, which every scope below has to share.
  store = openStore({ url: stack.databaseUrl, maxConnections: 1, onError: () => undefined });
});
afterAll(async () => {
  await store?.close();
  await stack?.stop();
});

const bodies = () => store.query<{ body: string }>({ name: 'all', text: 'SELECT body FROM messages' }, []);

describe('A10 row-level security', () => {
  test('shows a project its own rows alone, whatever the statement asks for', async () => {
    expect(JSON.stringify(await asProject(ours, 'test', bodies))).not.toContain('their secret');
    expect(await asProject(ours, 'test', bodies)).toHaveLength(1);
    expect(await asProject(theirs, 'test', bodies)).toHaveLength(1);
    expect(await asService(bodies)).toHaveLength(2);
  });

  test('shows nothing to work that speaks for nobody, also on a connection that was used before', async () => {
    await asProject(ours, 'test', bodies);
    expect(await bodies()).toEqual([]);
    await expect(
      asProject(ours, 'test', () => store.query({ name: 'bad', text: 'SELECT 1/0' }, [])),
    ).rejects.toThrow();
    expect(await bodies()).toEqual([]);
    expect(await store.prisma.message.findMany()).toEqual([]);
  });

  test('refuses to write rows of another project', async () => {
    const write = store.query(
      { name: 'cross', text: `INSERT INTO projects (id, name) VALUES (gen_random_uuid(), 'mine')` },
      [],
    );
    await expect(write).rejects.toThrow(/row-level security/);
    const change = asProject(ours, 'test', () =>
      store.query({ name: 'steal', text: `UPDATE threads SET model = 'stolen' RETURNING id` }, []),
    );
    expect(await change).toHaveLength(1);
  });

  test('is forced on every table that has a project, and the app owns none of them', async () => {
    const tables = await rowsOf<{
      name: string;
      forced: boolean;
      policies: number;
      owned: boolean;
      own: string;
    }>(
      stack.databaseUrl,
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
        pg_get_userbyid(c.relowner) = 'spillway_app' AS owned,
        (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid) AS policies,
        (SELECT string_agg(pg_get_expr(p.polqual, p.polrelid), '; ') FROM pg_policy p WHERE p.polrelid = c.oid) AS own
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables) {
      expect(table).toMatchObject({ forced: true, policies: 1, owned: false });
      // A policy that lets everything through is none. The epochs of events and the pause of all belong to no project.
      if (!['event_epochs', 'compaction_pause'].includes(table.name))
        expect(table.own, table.name).toContain('spillway_project()');
    }
  });
});

test('the pause of all projects is read in every scope, and changed by the service alone', async () => {
  const read = { name: 'read-pause', text: 'SELECT id FROM compaction_pause' };
  const change = {
    name: 'change-pause',
    text: 'UPDATE compaction_pause SET resumed_at = now() RETURNING id',
  };
  expect(await asProject(ours, 'test', () => store.query(read, []))).toEqual([{ id: true }]);
  await expect(asProject(ours, 'test', () => store.query(change, []))).rejects.toThrow(/row-level security/);
  expect(await asService(() => store.query(change, []))).toEqual([{ id: true }]);
});

test('the audit log can be added to and read, and nothing else', async () => {
  for (const text of ['UPDATE audit_log SET actor = $1', 'DELETE FROM audit_log WHERE actor = $1']) {
    const change = asService(() => store.query({ name: text.slice(0, 6), text }, ['x']));
    await expect(change).rejects.toThrow(/permission denied/);
  }
});

interface SettingsRow {
  role: string;
  project: string;
  actor: string;
}
const scopeOf = (on: Store) =>
  on.query<SettingsRow>(
    {
      name: 'scope-of',
      text: `SELECT current_setting('role') AS role, current_setting('spillway.project') AS project,
        current_setting('spillway.actor') AS actor`,
    },
    [],
  );

describe('a connection that changes its project', () => {
  test('takes the new scope and runs the statement in one round trip', async () => {
    const counter = await countSyncs(stack.databaseUrl);
    const counted = openStore({
      url: counter.through(stack.databaseUrl),
      maxConnections: 1,
      onError: () => undefined,
    });
    try {
      await asProject(ours, 'key:a', () => scopeOf(counted));
      const before = counter.count();
      for (let n = 0; n < 10; n++) {
        expect(await asProject(theirs, 'key:b', () => scopeOf(counted))).toMatchObject([{ project: theirs }]);
        expect(await asProject(ours, 'key:a', () => scopeOf(counted))).toMatchObject([{ project: ours }]);
      }
      expect(counter.count() - before).toBe(20);
    } finally {
      await counted.close();
      counter.stop();
    }
  });

  test('never runs a statement under another scope, whatever fails in between', async () => {
    const random = randomOf(7);
    const pair = openStore({ url: stack.databaseUrl, maxConnections: 2, onError: () => undefined });
    const failures = [
      () => pair.query({ name: 'divide', text: 'SELECT 1/0' }, []),
      () => pair.query({ name: 'unparsed', text: 'SELECT FROM' }, []),
      () => pair.transaction(async (query) => query({ name: 'divide', text: 'SELECT 1/0' }, [])),
      // The scope itself is refused: the statement behind it must not run under the scope before.
      () => asProject('\0', 'key:c', () => scopeOf(pair)),
    ];
    const one = async (n: number): Promise<void> => {
      const scope = n % 2 === 0 ? { project: ours, actor: 'key:a' } : { project: theirs, actor: 'key:b' };
      await asProject(scope.project, scope.actor, async () => {
        if (random.chance(0.3)) await expect(random.pick(failures)()).rejects.toThrow();
        else if (random.chance(0.2)) {
          await pair.transaction(async (query) => query({ name: 'one', text: 'SELECT 1' }, []));
          expect(await pair.prisma.message.findMany()).toHaveLength(1);
        }
        expect(await scopeOf(pair)).toEqual([{ role: 'spillway_app', ...scope }]);
      });
    };
    try {
      for (let n = 0; n < 300; n += 3) await Promise.all([one(n), one(n + 1), one(n + 2)]);
    } finally {
      await pair.close();
    }
  });

  test('has its own scope after a statement that was cancelled, and after a connection that was ended', async () => {
    for (const end of ['pg_cancel_backend', 'pg_terminate_backend']) {
      await asProject(theirs, 'key:b', () => scopeOf(store));
      const asleep = asProject(ours, 'key:a', () =>
        store.query({ name: 'sleep', text: 'SELECT pg_sleep(60)' }, []),
      );
      const ended = expect(asleep).rejects.toThrow();
      await until('the sleeping statement was ended', async () => {
        const rows = await rowsOf(
          stack.databaseUrl,
          `SELECT ${end}(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'`,
        );
        return rows.length > 0;
      });
      await ended;
      expect(await asProject(theirs, 'key:b', () => scopeOf(store))).toMatchObject([{ project: theirs }]);
      expect(await asProject(ours, 'key:a', bodies)).toHaveLength(1);
    }
  });
});

import { asProject, asService, keepEvents, migrate, openStore, type Store } from '@spillway/store';
import {
  apiOf,
  databaseOf,
  openEvents,
  rowsOf,
  startStack,
  sweepNow,
  until,
  type Api,
  type Stack,
} from '@spillway/testing';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { timesInTurn } from '../times-in-turn.js';

let stack: Stack;
let api: Api;
let store: Store;
/** Longer than this file takes: the days that it expects are counted from today. */
const enoughOfTheDayMs = 4 * 60_000;
const dayMs = 86_400_000;

beforeAll(async () => {
  const leftOfTheDay = dayMs - (Date.now() % dayMs);
  if (leftOfTheDay < enoughOfTheDayMs) await sleep(leftOfTheDay);
  // Workers sweep too; here the test says when.
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
  store = openStore({ url: stack.databaseUrl, maxConnections: 2, onError: () => undefined });
});
afterAll(async () => {
  await store?.close();
  await stack?.stop();
});

const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});
async function connected(): Promise<pg.Client> {
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  clients.push(client);
  return client;
}

const sql = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
  rowsOf<Row>(stack.databaseUrl, text, values);
const keep = () => asService(() => keepEvents(store.query));
const say = (thread: string) => api.append(thread, { role: 'user', content: 'x' });

/** The day this many days from now, in UTC, as partitions have it in their names. */
const day = (fromNow: number): string =>
  new Date(Date.now() + fromNow * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
const partition = (fromNow: number): string => `events_${day(fromNow)}`;

const partitions = async (url = stack.databaseUrl): Promise<string[]> => {
  const rows = await rowsOf<{ name: string }>(
    url,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};
const addDay = (fromNow: number) => sql('SELECT spillway_add_event_day($1::date)', [day(fromNow)]);
const dropDay = (fromNow: number) => sql(`DROP TABLE ${partition(fromNow)}`);

/** An event of a thread, as it would have been written some days ago. */
const writeOld = (thread: string, daysAgo: number, n = 1) =>
  sql(
    `INSERT INTO events (project_id, xid, thread_uid, type, data, at)
     SELECT project_id, pg_current_xact_id()::text::bigint, uid, 'thread.changed', '{"old":' || n || '}',
       now() - $2::int * interval '1 day' FROM threads, generate_series(1, $3) n WHERE id = $1`,
    [thread, daysAgo, n],
  );
const whereEventsAre = async (thread: string): Promise<string[]> => {
  const rows = await sql<{ name: string }>(
    `SELECT tableoid::regclass::text AS name FROM events
     WHERE thread_uid = (SELECT uid FROM threads WHERE id = $1) ORDER BY at, id`,
    [thread],
  );
  return rows.map(({ name }) => name);
};

describe('events are partitioned by day, and a sweep', () => {
  test('adds the next two days', async () => {
    expect(await partitions()).toEqual([partition(0), partition(1), partition(2), 'events_other']);
    await dropDay(2);
    await sweepNow(stack);
    expect(await partitions()).toEqual([partition(0), partition(1), partition(2), 'events_other']);
    expect(await keep()).toEqual({ added: 0, dropped: 0, deleted: 0 });
  });

  test('drops a day once all of it is older than seven days', async () => {
    await say('aged');
    for (const ago of [7, 8, 9]) {
      await addDay(-ago);
      await writeOld('aged', ago);
    }
    expect(await whereEventsAre('aged')).toEqual([9, 8, 7, 0].map((ago) => partition(-ago)));
    await sweepNow(stack);
    // Of the day a week ago a part is younger.
    expect(await whereEventsAre('aged')).toEqual([partition(-7), partition(0)]);
    expect(await partitions()).toEqual([-7, 0, 1, 2].map(partition).concat('events_other'));
    await dropDay(-7);
  });

  test('leaves the days to come to the default partition while that has events of them', async () => {
    await dropDay(2);
    await say('early');
    await writeOld('early', -2);
    expect(await keep()).toEqual({ added: 0, dropped: 0, deleted: 0 });
    expect(await whereEventsAre('early')).toEqual([partition(0), 'events_other']);
    await sql(
      `SET session_replication_role = replica; DELETE FROM events WHERE at > now() + interval '1 day'`,
    );
    expect(await keep()).toEqual({ added: 1, dropped: 0, deleted: 0 });
  });

  test('waits for nobody who reads events, and appends do not wait for it', async () => {
    await say('busy');
    await addDay(-9);
    const reader = await connected();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM events');
    const waiting = await connected();
    await waiting.query(`SET lock_timeout = '1s'`);
    const [keepMs, secondMs] = await timesInTurn(
      3,
      async () => {
        const [kept] = await Promise.all([keep(), say('busy')]);
        expect(kept).toEqual({ added: 0, dropped: 0, deleted: 0 });
      },
      () => expect(waiting.query('DO $$ BEGIN LOCK TABLE events; END $$')).rejects.toThrow('lock timeout'),
    );
    expect(keepMs).toBeLessThan(secondMs!);
    await reader.query('COMMIT');
    expect(await keep()).toEqual({ added: 0, dropped: 1, deleted: 0 });
  });
});

describe('an event whose day has no partition', () => {
  test('is recorded, listed and streamed, and goes when it is old', async () => {
    for (const n of [0, 1, 2]) await dropDay(n);
    const stream = await openEvents(stack, { thread: 'uncovered' });
    await until('its start', () => Promise.resolve(stream.lastId() !== ''));
    await say('uncovered');
    await writeOld('uncovered', 8, 5_001);
    expect(new Set(await whereEventsAre('uncovered'))).toEqual(new Set(['events_other']));
    await until('it arrives', () =>
      Promise.resolve(stream.events.some(({ type }) => type === 'message.recorded')),
    );
    stream.close();
    // At most 5,000 at once; the sweep asks until nothing is left.
    expect(await keep()).toEqual({ added: 2, dropped: 0, deleted: 5_000 });
    await sweepNow(stack);
    expect(await whereEventsAre('uncovered')).toEqual(['events_other']);
    const { body } = await api.call<{ data: { type: string }[] }>('GET', '/v1/threads/uncovered/events');
    expect(body.data.map(({ type }) => type)).toEqual(['message.recorded']);
    // Today stays with the default partition, from tomorrow on there are days again.
    expect(await partitions()).toEqual([partition(1), partition(2), 'events_other']);
  });
});

describe('a partition of events', () => {
  const read = (name: string) =>
    store.query<{ project_id: string }>({ name: `of-${name}`, text: `SELECT project_id FROM ${name}` }, []);

  test('A10 cannot be read, changed, added or dropped by the app', async () => {
    await say('mine');
    for (const name of await partitions()) {
      await expect(
        asService(() => read(name)),
        name,
      ).rejects.toThrow(/permission denied/);
      const remove = { name: `remove-${name}`, text: `DELETE FROM ${name}` };
      await expect(
        asService(() => store.query(remove, [])),
        name,
      ).rejects.toThrow(/permission denied/);
      const drop = { name: `drop-${name}`, text: `DROP TABLE ${name}` };
      await expect(
        asService(() => store.query(drop, [])),
        name,
      ).rejects.toThrow(/must be owner/);
    }
    for (const call of [
      `spillway_add_event_day('2030-01-01')`,
      `spillway_add_event_partition('events_x', NULL, NULL)`,
    ])
      await expect(asService(() => store.query({ name: call, text: `SELECT ${call}` }, []))).rejects.toThrow(
        /permission denied/,
      );
  });

  test('A10 shows a project its own rows alone to whoever was given the right to read it', async () => {
    const theirs = apiOf({ url: stack.url, key: await stack.addProject('neighbours') });
    await say('mine');
    await theirs.append('theirs', { role: 'user', content: 'x' });
    const projects = await sql<{ id: string; name: string }>('SELECT id, name FROM projects');
    expect(projects).toHaveLength(2);
    for (const name of await partitions()) await sql(`GRANT SELECT ON ${name} TO spillway_app`);
    let seen = 0;
    for (const { id } of projects)
      for (const name of await partitions()) {
        const rows = await asProject(id, 'test', () => read(name));
        seen += rows.length;
        expect(rows.filter((row) => row.project_id !== id)).toEqual([]);
      }
    expect(seen).toBeGreaterThan(1);
    for (const name of await partitions()) expect(await read(name)).toEqual([]);
    for (const name of await partitions()) await sql(`REVOKE SELECT ON ${name} FROM spillway_app`);
  });

  test('is made by a function that runs as the owner, with a fixed search path and without arguments', async () => {
    const [found] = await sql<{ arguments: number; config: string[]; owner: string; callers: string }>(
      `SELECT pronargs AS arguments, proconfig AS config, pg_get_userbyid(proowner) AS owner, proacl::text AS callers
       FROM pg_proc WHERE prosecdef AND proname = 'spillway_keep_events'`,
    );
    expect(found!.arguments).toBe(0);
    expect(found!.config).toContain('search_path=pg_catalog, public, pg_temp');
    // To the owner and the app, and not to PUBLIC, which has no name before the equals sign.
    expect(found!.callers).toBe(`{${found!.owner}=X/${found!.owner},spillway_app=X/${found!.owner}}`);
  });
});

test('no event is lost to a reader while days are added and dropped', async () => {
  await api.createThread({ id: 'read-on', policy: { context: { context_window: 1_000_000 } } });
  const stream = await openEvents(stack, { thread: 'read-on' });
  await until('its start', () => Promise.resolve(stream.lastId() !== ''));
  const first = stream.lastId();
  let isWriting = true;
  let written = 0;
  const writers = Array.from({ length: 4 }, async () => {
    for (; isWriting; written++) await say('read-on');
  });
  let dropped = 0;
  for (let n = 0; n < 12; n++) {
    await addDay(-9 - n);
    await until('it is dropped', async () => (await keep()).dropped > 0, 30_000);
    dropped++;
    if (n % 3 === 0) {
      await dropDay(2);
      await until('it is added', async () => (await keep()).added > 0, 30_000);
    }
  }
  isWriting = false;
  await Promise.all(writers);
  expect(dropped).toBe(12);
  expect(written).toBeGreaterThan(12);
  const resumed = await openEvents(stack, { thread: 'read-on', lastEventId: first });
  for (const reader of [stream, resumed]) {
    const last = () => Promise.resolve(reader.events.at(-1)?.data.to_seq === written);
    await until('all of them', last, 30_000);
    expect(
      reader.events.filter(({ type }) => type === 'message.recorded').map(({ data }) => data.to_seq),
    ).toEqual(Array.from({ length: written }, (_, i) => i + 1));
    reader.close();
  }
  expect(new Set([...stream.events, ...resumed.events].map(({ id }) => id)).size).toBe(stream.events.length);
});

describe('a database of the version before', () => {
  const before = '20270102000000_request_tokens';
  const everything = 'SELECT project_id, xid, id, thread_uid, type, data, at FROM events ORDER BY id';
  const perDay = 500;

  /** Events of ten days, and one from before a clock was set back. */
  async function filled(): Promise<string> {
    const url = await databaseOf(before);
    await rowsOf(
      url,
      `INSERT INTO events (project_id, xid, thread_uid, type, data, at)
       SELECT md5('project' || n % 3)::uuid, n / 20 + 1, md5('thread' || n % 50)::uuid, 'message.recorded', '{"n":' || n || '}',
         now() - interval '9 days' + n * interval '1 day' / ${perDay} FROM generate_series(1, 9 * ${perDay}) n`,
    );
    await rowsOf(
      url,
      `INSERT INTO events (project_id, xid, thread_uid, type, data, at)
       VALUES (md5('project0')::uuid, 1000000, md5('thread0')::uuid, 'thread.changed', '{}', now() + interval '30 days')`,
    );
    return url;
  }

  test('keeps every event with its id, in a partition that is dropped a week later', async () => {
    const url = await filled();
    const rows = await rowsOf<{ id: string }>(url, everything);
    // Two at once, as when several processes start.
    const applied = (await Promise.all([migrate(url), migrate(url)])).flat();
    expect(applied.filter((name) => name.endsWith('_event_partitions'))).toHaveLength(1);
    expect(await rowsOf(url, everything)).toEqual(rows);
    expect(await partitions(url)).toEqual([partition(1), partition(2), 'events_before', 'events_other']);
    const [next] = await rowsOf<{ id: string }>(url, `SELECT nextval('events_id_seq') AS id`);
    expect(Number(next!.id)).toBe(rows.length + 1);
    // As if a week had passed: what is left in the partition of before is old.
    await rowsOf(
      url,
      `ALTER TABLE events DETACH PARTITION events_before;
       SET session_replication_role = replica;
       DELETE FROM events_before WHERE at >= now() - interval '8 days';
       DO $$ BEGIN
         EXECUTE format('ALTER TABLE events ATTACH PARTITION events_before FOR VALUES FROM (MINVALUE) TO (%L)',
           now() - interval '8 days');
       END $$`,
    );
    expect(await rowsOf(url, 'SELECT dropped FROM spillway_keep_events()')).toEqual([{ dropped: 1 }]);
    expect(await rowsOf(url, everything)).toEqual(rows.slice(-1));
    const [later] = await rowsOf<{ id: string }>(url, `SELECT nextval('events_id_seq') AS id`);
    expect(Number(later!.id)).toBe(rows.length + 2);
  });

  test('is migrated by an owner who is no superuser, for whom the app keeps it then', async () => {
    const owner = `owner_${randomBytes(4).toString('hex')}`;
    const server = process.env.SPILLWAY_TEST_POSTGRES!;
    await databaseOf(before); // Has the role of the app made.
    await rowsOf(server, `CREATE ROLE ${owner} LOGIN NOSUPERUSER CREATEROLE PASSWORD 'secret'`);
    await rowsOf(server, `GRANT spillway_app TO ${owner}`);
    await rowsOf(server, `CREATE DATABASE ${owner} OWNER ${owner}`);
    const url = Object.assign(new URL(server), {
      username: owner,
      password: 'secret',
      pathname: `/${owner}`,
    });
    await migrate(url.href, { through: before });
    const asAll = (text: string) => `SELECT set_config('spillway.project', '*', false); ${text}`;
    const owned = new pg.Client(url.href);
    await owned.connect();
    clients.push(owned);
    const write = `INSERT INTO events (project_id, xid, thread_uid, type, data, at)
      SELECT gen_random_uuid(), 1, gen_random_uuid(), 'thread.changed', '{}', now() - n * interval '1 day'
      FROM generate_series(1, 9) n`;
    const count = 'SELECT count(*)::int AS n FROM events';
    await owned.query(asAll(write));
    await migrate(url.href);
    expect((await owned.query(count)).rows).toEqual([{ n: 9 }]);
    await owned.query(`DROP TABLE ${partition(2)}`);
    await owned.query('ALTER TABLE events DETACH PARTITION events_before');
    // What is old and has no partition.
    await owned.query(write);
    await owned.query(
      `SELECT set_config('role', 'spillway_app', false), set_config('spillway.project', '', false)`,
    );
    expect((await owned.query('SELECT * FROM spillway_keep_events()')).rows).toEqual([
      { added: 1, dropped: 0, deleted: 3 },
    ]);
    // Who calls it still sees its own rows alone.
    expect((await owned.query(count)).rows).toEqual([{ n: 0 }]);
    await expect(owned.query(`SELECT spillway_add_event_day('2030-01-01')`)).rejects.toThrow(
      /permission denied/,
    );
  });

  test('is migrated also when the index that was built ahead was given up half way', async () => {
    const url = await filled();
    const rows = await rowsOf<{ id: string }>(url, everything);
    await migrate(url, { through: '20270104000000_event_key' });
    await rowsOf(url, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'events_by_time'::regclass`);
    await migrate(url);
    expect(await rowsOf(url, everything)).toEqual(rows);
    const [key] = await rowsOf<{ valid: boolean }>(
      url,
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'events_before_pkey'::regclass`,
    );
    expect(key).toEqual({ valid: true });
  });

  test('and a worker of that version, which names rows by their place, removes old ones alone', async () => {
    const url = await filled();
    await migrate(url);
    // As many new events as there are old ones, so that they have the same places in other partitions.
    await rowsOf(
      url,
      `INSERT INTO events (project_id, xid, thread_uid, type, data, at)
       SELECT project_id, xid + 1000000, thread_uid, type, data, now() + interval '1 day' FROM events WHERE at < now()`,
    );
    const counted = `SELECT count(*) FILTER (WHERE at < now() - interval '7 days')::int AS old,
      count(*) FILTER (WHERE at >= now() - interval '7 days')::int AS young FROM events`;
    const [{ old, young }] = (await rowsOf<{ old: number; young: number }>(url, counted)) as [
      { old: number; young: number },
    ];
    expect(old).toBeGreaterThan(perDay);
    for (const n of [0, 1, 2])
      await rowsOf(
        url,
        `DELETE FROM events WHERE project_id = md5($1)::uuid AND ctid = ANY(ARRAY(
          SELECT ctid FROM (SELECT ctid, at FROM events WHERE project_id = md5($1)::uuid ORDER BY xid, id LIMIT 5000) oldest
          WHERE at < now() - $2::bigint * interval '1 ms')) RETURNING id`,
        [`project${n}`, 7 * 86_400_000],
      );
    expect(await rowsOf(url, counted)).toEqual([{ old: 0, young }]);
  });
});

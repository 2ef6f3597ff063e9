// @module-tag long
import {
  apiOf,
  freshDatabase,
  openEvents,
  randomOf,
  rowsOf,
  startOwnPostgres,
  startStack,
  sweepNow,
  until,
  type Api,
  type OwnPostgres,
  type Stack,
} from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyRoute } from '../abuse/every-route.js';
import { goodRequest } from '../abuse/good-requests.js';
import { toolCall } from '../tool-calls.js';
import {
  logStatements,
  loggedStatements,
  tablesOfAllProjects,
  tablesOfManyThreads,
  tablesWithColumn,
  type Statements,
} from './statements.js';

let postgres: OwnPostgres;
let stack: Stack;
let api: Api;
let database: pg.Client;
let withProject: Set<string>;
let statements: Statements;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  await logStatements(postgres);
  stack = await startStack({ databaseUrl: await freshDatabase(postgres.url) });
  api = apiOf(stack);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
  withProject = await tablesWithColumn(stack.databaseUrl, 'project_id');
  await work();
  await sweepNow(stack);
  statements = await loggedStatements(postgres);
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
  await postgres?.stop();
});

const say = (text: string) => ({ role: 'user', content: text });
const long = (n: number) => say(`${n}. ${'All work and no play makes dull threads. '.repeat(40)}`);

/** What agents and the console ask for most. */
async function work(): Promise<void> {
  await api.createThread({
    id: 'one',
    system: 'Be brief.',
    policy: { context: { context_window: 8_000, trigger_ratio: 0.3 } },
  });
  await api.append('one', { ...say('named'), id: 'named' });
  await Promise.all(Array.from({ length: 60 }, (_, n) => api.append(`group-${n % 20}`, say(`${n}`))));
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      api.append(`group-${n % 20}`, { ...say(`named ${n}`), id: `named-${n}` }),
    ),
  );
  await Promise.all(Array.from({ length: 60 }, (_, n) => api.context(`group-${n % 20}`)));
  await Promise.all(Array.from({ length: 60 }, (_, n) => api.context(`group-${n % 20}`)));
  await api.append('one', ...Array.from({ length: 20 }, (_, n) => long(n)));
  await until('a fold', async () => (await api.thread('one')).compaction.generation > 0);
  await api.context('one');
  await api.context('one');
  await api.append('one', toolCall('call'), {
    role: 'tool',
    tool_call_id: 'call',
    content: Array.from({ length: 4_000 }, (_, n) => `line ${n}`).join('\n'),
  });
  const [output] = await rowsOf<{ id: string }>(stack.databaseUrl, 'SELECT id FROM outputs');
  // Routes that only look: what stands in the thread and the project stays for those after them.
  const reads = (await everyRoute(stack.url)).filter(({ method }) => method === 'GET');
  for (const route of reads) {
    const asked = { routes: [route], threads: ['one'], output: output!.id, part: 'any' as const };
    const { path } = goodRequest(randomOf(1), asked);
    const { status } = await api.call('GET', path);
    expect(status, path).toBeLessThan(500);
  }
  const stream = await openEvents(stack);
  await until('the callers of open streams are checked', async () =>
    (await loggedStatements(postgres)).has('live-callers'),
  );
  stream.close();
}

/** Statements that agents wait for. */
const hot = [
  ...['append-plain', 'append-named', 'append-linked'],
  ...[
    'read-thread-with-summary',
    'read-entries-with-bodies',
    'record-served',
    'is-still-served',
    'stage-output',
  ],
  ...['claim', 'commit', 'search-messages'],
];

/**
 * Statements that have no condition with one given project, with the reason. The first two are of one project all the
 * same; the others read the rows of all projects.
 */
const exceptions: Record<string, string> = {
  'append-group-plain': 'the project is a column of the group, which is joined with the threads',
  'record-all-served': 'the project is a column of the group, which is joined with the threads',
  'busy-webhooks': 'a worker looks for webhooks that have events to send',
  'due-threads': 'a worker looks for due threads of any project',
  'due-threads-of-each-project': 'the same when a worker has no hint, by one index lookup for each project',
  'threads-to-prepare': 'a worker looks for threads whose next fold may be made ahead',
  'projects-to-sweep': 'a sweep looks which projects have something to do, by index lookups for each',
  'fold-thread-counts': 'a sweep adds up the threads of every project that has many changes',
  'unpark-all': 'a worker that starts with another provider retries what the one before refused',
  'find-key': 'the hash of a key leads to its project',
  'live-callers': 'the callers of all open streams are checked together',
  'without a name: webhooks': 'at the start, stored secrets get the key of now',
  'without a name: upstreams': 'at the start, stored secrets get the key of now',
};
/** Prisma sends statements without a name, whose only name is their text. */
const labelOf = (name: string, text: string, tables: readonly string[]): string =>
  name === text ? `without a name: ${tables.join(', ')}` : name;

test('statements that agents wait for name one project for every table', async () => {
  for (const name of hot) {
    const text = statements.get(name);
    expect(text, `${name} was executed, of ${[...statements.keys()].join(', ')}`).toBeDefined();
    expect(await tablesOfAllProjects(database, text!, withProject), name).toEqual([]);
  }
});

test('every other statement that was executed names one project, or is a known exception', async () => {
  const found = new Set<string>();
  for (const [name, text] of statements) {
    const tables = await tablesOfAllProjects(database, text, withProject);
    if (tables.length > 0) found.add(labelOf(name, text, tables));
  }
  expect([...found].filter((name) => !exceptions[name])).toEqual([]);
  // One that names its project by now has to leave the list.
  expect(Object.keys(exceptions).filter((name) => statements.has(name) && !found.has(name))).toEqual([]);
  expect(statements.size).toBeGreaterThan(hot.length);
});

test('a statement that forgets the project, or names several, is found', async () => {
  const tables = (text: string) => tablesOfAllProjects(database, text, withProject);
  expect(await tables('SELECT 1 FROM threads WHERE id = $1')).toEqual(['threads']);
  expect(await tables('SELECT 1 FROM threads WHERE project_id = ANY($1::uuid[])')).toEqual(['threads']);
  expect(
    await tables('SELECT 1 FROM threads t JOIN messages m ON m.thread_uid = t.uid WHERE t.project_id = $1'),
  ).toEqual(['messages']);
  const joined =
    'SELECT 1 FROM threads t JOIN messages m ON m.project_id = t.project_id AND m.thread_uid = t.uid';
  expect((await tables(joined)).sort()).toEqual(['messages', 'threads']);
  expect(await tables(`${joined} WHERE t.project_id = $1`)).toEqual([]);
});

test('the primary key of every table begins with the project', async () => {
  const rows = await rowsOf<{ name: string; first: string }>(
    stack.databaseUrl,
    `SELECT c.relname AS name, a.attname AS first FROM pg_index i
       JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
      WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace`,
  );
  const others = rows.filter(({ name, first }) => withProject.has(name) && first !== 'project_id');
  expect(others).toEqual([]);
  expect(rows.length).toBeGreaterThan(15);
});

/** Threads that the project has in addition, each with the rows of the folded one. */
const copies = 1_000;
const ownId = `jsonb_build_object('id', gen_random_uuid())`;
/** Tables with rows of the folded thread; those of an output have an id of their own. */
const copied: Record<string, string> = {
  messages: `'{}'`,
  summaries: `'{}'`,
  served_contexts: `'{}'`,
  served_prompts: `'{}'`,
  compaction_attempts: `'{}'`,
  outputs: ownId,
};

async function copyFoldedThread(): Promise<void> {
  const made = await rowsOf<{ uid: string }>(
    stack.databaseUrl,
    `WITH off AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', false)),
      source AS (SELECT t.* FROM off, threads t WHERE id = 'one'),
      made AS (INSERT INTO threads SELECT (jsonb_populate_record(NULL::threads,
          to_jsonb(source) || jsonb_build_object('uid', gen_random_uuid(), 'id', 'copy-' || n))).*
        FROM source, generate_series(1, ${copies}) n RETURNING uid),
      ${Object.entries(copied)
        .map(
          ([table, changes]) => `of_${table} AS (INSERT INTO ${table}
            SELECT (jsonb_populate_record(s, jsonb_build_object('thread_uid', made.uid) || ${changes}::jsonb)).*
            FROM made, ${table} s JOIN source ON s.project_id = source.project_id AND s.thread_uid = source.uid)`,
        )
        .join(', ')}
    SELECT uid FROM made`,
  );
  expect(made).toHaveLength(copies);
  await rowsOf(
    stack.databaseUrl,
    'INSERT INTO output_uses SELECT project_id, id, thread_uid, seq FROM outputs WHERE thread_uid IS NOT NULL',
  );
}

/** Statements that read more than single threads, with the reason. */
const ofManyThreads: Record<string, string> = {
  'due-threads': 'due threads, by an index of them alone',
  'due-threads-of-each-project': 'the same',
  'threads-to-prepare': 'threads whose next fold may be made ahead, by an index of them alone',
  'unpark-all': 'parked threads, when a worker starts with another provider',
  ...Object.fromEntries(
    ['abandon-staging', 'deletable-outputs', 'erased-threads', 'expire-outputs', 'expire-over-budget']
      .concat(['forget-lost', 'orphan-keys', 'projects-to-sweep'])
      .map((name) => [name, 'a sweep']),
  ),
  ...Object.fromEntries(
    ['list-threads-updated-desc-first', 'list-threads-created-desc-first']
      .concat(['list-outputs-newest-first', 'list-outputs-biggest-first'])
      .concat(['list-project-attempts', 'list-unsettled', 'count-threads', 'count-by-state', 'count-parked'])
      .concat(['last-attempt-at', 'thread-concerns', 'output-concerns', 'threads-of-fallback-window'])
      .concat(['attempts-by-bucket', 'failures-by-reason', 'outputs-by-bucket', 'spent-by-model'])
      .map((name) => [name, 'what a project has']),
  ),
};

test('what a thread takes does not grow with the threads of its project, with statistics or without', async () => {
  await copyFoldedThread();
  // The others have too few rows here to be read by an index.
  const withThread = new Set(['threads', 'output_uses', ...Object.keys(copied)]);
  const found = new Set<string>();
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await rowsOf(stack.databaseUrl, 'ANALYZE');
    for (const [name, text] of statements) {
      const tables = await tablesOfManyThreads(database, text, withThread);
      if (tables.length > 0) found.add(labelOf(name, text, tables));
    }
  }
  expect([...found].filter((name) => !ofManyThreads[name])).toEqual([]);
  expect(Object.keys(ofManyThreads).filter((name) => statements.has(name) && !found.has(name))).toEqual([]);
  const tables = (text: string) => tablesOfManyThreads(database, text, withThread);
  expect(await tables('SELECT FROM messages WHERE project_id = $1')).toEqual(['messages']);
  expect(await tables('SELECT FROM messages WHERE project_id = $1 AND thread_uid = $2')).toEqual([]);
});

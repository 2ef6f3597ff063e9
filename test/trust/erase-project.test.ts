// @module-tag long
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Schemas } from '@spillway/client';
import { UsageCounter } from '@spillway/service';
import { addUsage, markProjectErased, recordSpending, tablesOfProjects, type Query } from '@spillway/store';
import { apiOf, rowsOf, startStack, sweepNow, until, type Api, type Stack } from '@spillway/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorHeader, operatorPassword } from '../operations/scrape.js';
import { toolCall, toolResult } from '../tool-calls.js';
import { untilLocked } from '../until-locked.js';

type Created = Schemas['ProjectCreated'];
type Listed = Schemas['ProjectList'];
type Problem = Schemas['Problem'];

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    workers: 0,
    env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword, SPILLWAY_TIME_DIVISOR: '10' },
  });
});
afterAll(() => stack?.stop());

const operator = <T>(method: string, path: string, body?: object) =>
  apiOf(stack).call<T>(method, path, body, operatorHeader(operatorPassword));
const erase = (id: string, name: string) =>
  operator<Schemas['Project'] & Problem>('DELETE', `/v1/projects/${id}?name=${encodeURIComponent(name)}`);
const keyed = (key: string): Api => apiOf({ url: stack.url, key });

/** A project with rows in many tables, and with bytes. */
async function filledProject(name: string): Promise<Created> {
  const { body: project } = await operator<Created>('POST', '/v1/projects', { name });
  await fill(keyed(project.key));
  return project;
}

const log = Array.from({ length: 4_000 }, (_, i) => `line ${i} of a long log`).join('\n');
const image = `data:image/png;base64,${randomBytes(30_000).toString('base64')}`;

async function fill(api: Api): Promise<void> {
  await api.append('logs', { role: 'user', content: 'Never restart the database.' });
  await api.append('logs', toolCall('c1', 'read_log'), toolResult('c1', log));
  await api.append('logs', {
    role: 'user',
    content: [{ type: 'image_url', image_url: { url: image } }],
  });
  await api.context('logs');
  await api.call('POST', '/v1/keys', { name: 'agent', scopes: ['messages:write'] });
  await api.call('PUT', '/v1/models/house-model', { context_window: 50_000 });
  await api.call('POST', '/v1/threads/logs/tokens', { scopes: ['context:read'] });
}

/** Rows of a project by table: of all tables that have a project, except the audit log. */
async function rowsOfProject(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesWithProject()) {
    const [row] = await rowsOf<{ n: number }>(
      stack.databaseUrl,
      `SELECT count(*)::int AS n FROM ${table} WHERE project_id = $1`,
      [id],
    );
    counts[table] = row!.n;
  }
  return counts;
}

/** The same without usage, which the API writes some time after the request. */
const keptOf = async (id: string): Promise<Record<string, number>> => ({
  ...(await rowsOfProject(id)),
  usage_hours: 0,
  key_usage_days: 0,
  usage_writers: 0,
});

async function tablesWithProject(): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    stack.databaseUrl,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
        AND c.relname <> 'audit_log' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const storedFiles = async (projectId: string): Promise<string[]> =>
  readdir(`${stack.outputsFolder}/${projectId}`, { recursive: true }).catch(() => []);
/** A client asks as the store does. */
const queryOf =
  (client: pg.Client): Query =>
  async <Row extends pg.QueryResultRow>({ text }: { text: string }, values: unknown[]) =>
    (await client.query<Row>({ text, values })).rows;
const noRows = Object.fromEntries(tablesOfProjects.map((table) => [table, 0]));
const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, n) => sum + n, 0);

test('the list of tables to erase has every table with rows of projects', async () => {
  expect([...tablesOfProjects].sort()).toEqual(await tablesWithProject());
});

test('a project is erased with all its rows and bytes; another one keeps all of its own', async () => {
  const project = await filledProject('support desk');
  const other = await filledProject('sales');
  const before = await rowsOfProject(project.id);
  for (const table of ['threads', 'messages', 'events', 'outputs', 'media', 'api_keys', 'model_overrides'])
    expect(before[table], table).toBeGreaterThan(0);
  expect(total(before)).toBeGreaterThan(15);
  expect(await storedFiles(project.id)).not.toEqual([]);
  const others = await keptOf(other.id);

  const { status, body } = await erase(project.id, 'support desk');
  expect(status).toBe(202);
  expect(body).toMatchObject({ id: project.id, admin_keys: 0 });
  expect(Date.parse(body.erased_at!)).toBeGreaterThan(Date.parse(project.created_at));
  await until('its key stops working', async () => {
    return (await keyed(project.key).call('GET', '/v1/threads')).status === 401;
  });
  await sweepNow(stack);

  expect(await rowsOfProject(project.id)).toEqual(noRows);
  expect(await storedFiles(project.id)).toEqual([]);
  const { body: list } = await operator<Listed>('GET', '/v1/projects');
  expect(list.data.map(({ id }) => id)).not.toContain(project.id);
  expect(await keptOf(other.id)).toEqual(others);
  expect((await keyed(other.key).context('logs')).messages).toHaveLength(4);
  const audit = await rowsOf<{ action: string; actor: string }>(
    stack.databaseUrl,
    'SELECT action, actor FROM audit_log WHERE project_id = $1 ORDER BY id DESC LIMIT 20',
    [project.id],
  );
  expect(audit).toContainEqual({ action: 'project.erased', actor: 'operator' });
  expect((await erase(project.id, 'support desk')).status).toBe(404);
});

test('its name is free at once, and the request may be repeated', async () => {
  const first = await filledProject('again');
  expect((await erase(first.id, 'again')).status).toBe(202);
  const second = await filledProject('again');
  expect(second.id).not.toBe(first.id);
  const repeated = await erase(first.id, 'again');
  expect(repeated.status).toBe(202);
  const { body: list } = await operator<Listed>('GET', '/v1/projects');
  expect(list.data.filter(({ name }) => name.startsWith('again'))).toMatchObject([
    { id: second.id, name: 'again', erased_at: null, admin_keys: 1 },
    { id: first.id, name: `again (erased ${first.id})`, erased_at: repeated.body.erased_at, admin_keys: 0 },
  ]);
});

test('of several requests at once each is answered, and none is told of another name', async () => {
  const project = await filledProject('at once');
  const locker = new pg.Client(stack.databaseUrl);
  await locker.connect();
  await locker.query(`SELECT set_config('spillway.project', '*', false)`);
  await locker.query('BEGIN');
  await locker.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [project.id]);
  const asked = Promise.all([1, 2, 3].map(() => erase(project.id, 'at once')));
  await untilLocked(stack.databaseUrl, 3);
  await locker.query('COMMIT');
  await locker.end();
  const answers = await asked;
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map(({ body }) => body.erased_at)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body.name))).toEqual(new Set([`at once (erased ${project.id})`]));
});

test('a wrong name, a wrong id or no name erases nothing', async () => {
  const project = await filledProject('kept');
  const before = await keptOf(project.id);
  expect(await erase(project.id, 'Kept')).toMatchObject({
    status: 409,
    body: { code: 'project_name_differs' },
  });
  expect(await erase('00000000-0000-4000-8000-000000000000', 'kept')).toMatchObject({ status: 404 });
  expect(await operator('DELETE', `/v1/projects/${project.id}`)).toMatchObject({ status: 422 });
  await sweepNow(stack);
  expect(await keptOf(project.id)).toEqual(before);
  expect((await keyed(project.key).context('logs')).messages).toHaveLength(4);
});

test('nobody gets in while it is being erased: no append of a key that was just seen, no new key', async () => {
  const project = await filledProject('closing');
  const api = keyed(project.key);
  expect((await erase(project.id, 'closing')).status).toBe(202);
  // The process may trust the key for a moment more: the statement does not.
  const late = await api.call('POST', '/v1/threads/logs/messages', {
    messages: [{ role: 'user', content: 'too late' }],
  });
  expect(late.status).toBe(401);
  expect(await operator('POST', `/v1/projects/${project.id}/keys`, { name: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'project_not_found' },
  });
});

test('what is counted for it afterwards leaves no rows: a context it was served, a summary that a model made', async () => {
  const { id: projectId } = await filledProject('counted late');
  await erase(projectId, 'counted late');
  await sweepNow(stack);
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  try {
    const query = queryOf(client);
    const usage = new UsageCounter();
    const taken = { inputTokens: 900, outputTokens: 90, cachedInputTokens: 0 };
    usage.recorded(projectId, null, 1, 700);
    usage.chatted({ projectId, keyId: randomUUID() }, null, taken, null);
    for (const batch of usage.take().values())
      await addUsage(query, { projectId, writer: usage.writer, batch });
    const attempt = { projectId, threadUid: randomUUID(), epoch: 1, model: 'gpt-5', promptVersion: '9' };
    await recordSpending(query, { ...attempt, ...taken, costUsd: null });
  } finally {
    await client.end();
  }
  expect(await rowsOfProject(projectId)).toEqual(noRows);
});

test('A114 a key that is made while its project is being erased lets nobody in', async () => {
  const project = await filledProject('closing-at-once');
  const holder = new pg.Client(stack.databaseUrl);
  await holder.connect();
  try {
    // No key is added meanwhile. Keys are read: the process that answers may not know this one any more.
    await holder.query('BEGIN; LOCK TABLE api_keys IN SHARE MODE');
    const made = keyed(project.key).call<Schemas['KeyCreated']>('POST', '/v1/keys', {
      name: 'late',
      scopes: ['admin'],
    });
    await untilLocked(stack.databaseUrl, 1);
    // The erasure as the service asks for it; its statement does not see the key.
    const query = queryOf(holder);
    const { id, name } = project;
    expect(await markProjectErased(query, { id, name })).toMatchObject({
      erasedAt: expect.any(Date) as Date,
    });
    await holder.query('COMMIT');
    const { status, body } = await made;
    expect(status).toBe(201);
    expect((await keyed(body.key).call('GET', '/v1/keys')).status).toBe(401);
  } finally {
    await holder.end();
  }
});

test('F63 a worker that is killed while it erases a project leaves the rest for the next one', async () => {
  // Those of the tests before, which it would begin with.
  await sweepNow(stack);
  const project = await filledProject('half-erased');
  const doomed = await stack.startWorker({
    NODE_ENV: 'test',
    SPILLWAY_CRASH_AT: 'project.threads_erased',
    SPILLWAY_TIME_DIVISOR: '60',
  });
  expect((await erase(project.id, 'half-erased')).status).toBe(202);
  await doomed.exited;
  const left = await rowsOfProject(project.id);
  expect(left.threads).toBe(0);
  expect(left.messages).toBe(4);
  const next = await stack.startWorker({ SPILLWAY_TIME_DIVISOR: '60' });
  await until('the rest is erased', async () => total(await rowsOfProject(project.id)) === 0);
  await until('its bytes are removed', async () => (await storedFiles(project.id)).length === 0);
  await next.stop();
  // What began before may still write, such as an upload: the project itself stays for a day.
  const { body: list } = await operator<Listed>('GET', '/v1/projects');
  expect(list.data.map(({ id }) => id)).toContain(project.id);
});

test('after the project default, a start before the sweep makes an empty one with the same key', async () => {
  const listed = async () => (await operator<Listed>('GET', '/v1/projects')).body.data;
  await fill(keyed(stack.key));
  const first = (await listed()).find(({ name }) => name === 'default')!;
  expect((await erase(first.id, 'default')).status).toBe(202);
  const started = await stack.startApi({
    SPILLWAY_OPERATOR_PASSWORD: operatorPassword,
    SPILLWAY_TIME_DIVISOR: '10',
  });
  const again = apiOf({ url: started.url, key: stack.key });
  await until('the key opens the new project', async () => {
    return (await again.call('GET', '/v1/threads')).status === 200;
  });
  const { body } = await again.call<{ data: object[] }>('GET', '/v1/threads');
  expect(body.data).toEqual([]);
  const projects = (await listed()).filter(({ name }) => name.startsWith('default'));
  expect(projects.map(({ id, erased_at }) => [id === first.id, erased_at === null])).toEqual([
    [false, true],
    [true, false],
  ]);
  // What is deleted for the first one leaves the second as it is.
  await sweepNow(stack);
  expect((await again.call('GET', '/v1/threads')).status).toBe(200);
});

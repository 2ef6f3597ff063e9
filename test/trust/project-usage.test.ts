import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, sweepNow, until, type Api, type Stack } from '@spillway/testing';
import { expect, test } from 'vitest';
import { runCommand } from '../cli/run-program.js';
import { folding, settled, turns } from '../folding-thread.js';
import { operatorHeader, operatorPassword } from '../operations/scrape.js';
import { stackWithModel } from '../stack-with-model.js';
import { toolCall, toolResult } from '../tool-calls.js';

type Listed = Schemas['ProjectUsageList'];
type Problem = Schemas['Problem'];

let stack: Stack;
let first: Api;
stackWithModel({ env: { SPILLWAY_POLL_MS: '300', SPILLWAY_OPERATOR_PASSWORD: operatorPassword } }, (on) => {
  ({ stack, api: first } = on);
});

const operator = <T>(method: string, path: string, body?: object) =>
  first.call<T>(method, path, body, operatorHeader(operatorPassword));
const figures = async (query = ''): Promise<Listed> =>
  (await operator<Listed>('GET', `/v1/projects/usage${query}`)).body;
const figuresOf = async (id: string) => (await figures('?limit=1000')).data.find((one) => one.id === id)!;

async function newProject(name: string) {
  const { body } = await operator<Schemas['ProjectCreated']>('POST', '/v1/projects', { name });
  return { id: body.id, key: body.key, api: apiOf({ url: stack.url, key: body.key }) };
}

const prices = { context_window: 128_000, input_price: 100, output_price: 200 };

test('each project has the figures of its own usage, and the one that cost most comes first', async () => {
  const [busy, idle] = [await newProject('busy'), await newProject('idle')];
  expect((await busy.api.call('PUT', '/v1/models/stub', prices)).status).toBe(200);
  await busy.api.createThread({ id: 'folded', policy: { ...folding, summary: { model: 'stub' } } });
  await busy.api.append('folded', ...turns(30));
  await settled(busy.api, 'folded', 1);
  await busy.api.context('folded');
  await busy.api.append('tools', toolCall('c', 'sh'), toolResult('c', 'a line of output\n'.repeat(3_000)));
  await idle.api.append('one', { role: 'user', content: 'hello' });

  const mine = await until('everything is counted', async () => {
    const found = await figuresOf(busy.id);
    return found.messages === 32 && found.contexts === 1 && found.llm.attempts > 0 && found;
  });
  const { body: usage } = await busy.api.call<Schemas['Usage']>('GET', '/v1/usage');
  const { messages, tokens_recorded, contexts, server_errors, llm, chat, outputs } = usage.totals;
  expect(mine).toEqual({
    ...{ id: busy.id, name: 'busy', suspended_at: null, compaction_paused_at: null },
    ...{ messages, tokens_recorded, contexts, server_errors, chat },
    llm: { ...llm, cost_usd: expect.closeTo(llm.cost_usd!, 6) as number },
    ...{ threads: 2, output_bytes: outputs.bytes },
  });
  expect(llm.cost_usd).toBeGreaterThan(0);

  for (const sort of ['cost_usd', 'llm_tokens', 'tokens_recorded', 'output_bytes', 'threads'])
    expect((await figures(`?sort=${sort}`)).data[0]!.id, sort).toBe(busy.id);
  // An erasure takes the attempts of a thread with it, and leaves what they cost.
  expect((await busy.api.call('DELETE', '/v1/threads/folded')).status).toBeLessThan(300);
  expect(await figuresOf(busy.id)).toMatchObject({ llm: mine.llm, threads: 1 });
});

test('the list is read page by page, in one order, and each project once', async () => {
  const made = await Promise.all(['p1', 'p2', 'p3'].map((name) => newProject(name)));
  for (const [i, { api }] of made.entries())
    for (let n = 0; n <= i; n++) await api.append(`t-${n}`, { role: 'user', content: 'hello' });
  const whole = (await figures('?sort=threads')).data;
  expect(whole.map(({ threads }) => threads)).toEqual(
    whole.map(({ threads }) => threads).toSorted((a, b) => b - a),
  );
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Listed = await figures(`?sort=threads&limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(2);
    pages.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(pages).toEqual(whole.map(({ id }) => id));
  const { body } = await operator<Listed>('GET', '/v1/projects/usage?sort=threads&limit=2');
  const other = await operator<Problem>('GET', `/v1/projects/usage?sort=messages&cursor=${body.next_cursor}`);
  expect(other).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
});

test('a range has whole hours, and an empty or long one is refused', async () => {
  const past = await figures('?from=2020-01-01T00:10:00Z&to=2020-01-01T01:10:00Z');
  expect(past).toMatchObject({ from: '2020-01-01T00:00:00.000Z', to: '2020-01-01T02:00:00.000Z' });
  expect(past.data.every(({ messages }) => messages === 0)).toBe(true);
  for (const range of [
    'from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z',
    'from=2020-01-01T00:00:00Z&to=2020-02-02T00:00:00Z',
  ])
    expect(await operator<Problem>('GET', `/v1/projects/usage?${range}`)).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', errors: [{ path: '/from' }] },
    });
});

test('threads are counted as they come and go, whoever adds the counts up', async () => {
  const { id, api } = await newProject('counted');
  for (let n = 0; n < 14; n++) await api.append(`t-${n}`, { role: 'user', content: 'hello' });
  await api.call('POST', '/v1/threads/t-0/forks', { id: 'forked' });
  for (const n of [1, 2]) await api.call('DELETE', `/v1/threads/t-${n}`);
  const [row] = await rowsOf<{ n: number }>(
    stack.databaseUrl,
    'SELECT count(*)::int AS n FROM threads WHERE project_id = $1 AND deleted_at IS NULL',
    [id],
  );
  expect((await figuresOf(id)).threads).toBe(row!.n);
  await Promise.all([sweepNow(stack), sweepNow(stack)]);
  expect((await figuresOf(id)).threads).toBe(row!.n);
  const rows = await rowsOf(stack.databaseUrl, 'SELECT threads FROM thread_counts WHERE project_id = $1', [
    id,
  ]);
  expect(rows).toHaveLength(1);
});

test('`spillway projects` lists, compares, suspends and pauses as the operator', async () => {
  const { id, key } = await newProject('by program');
  const env = { SPILLWAY_OPERATOR_PASSWORD: operatorPassword };
  const run = (...words: string[]) => runCommand({ url: stack.url, key: '' }, ['projects', ...words], env);
  expect((await run()).stdout).toMatch(/^ID +NAME +CREATED +ADMIN KEYS +STATE\n/);
  const usage = await run('usage', '--sort', 'threads', '-n', '1');
  expect(usage.stdout).toMatch(/^NAME +MESSAGES/);
  expect(usage.stderr).toContain('--cursor ');
  const [line] = (await run('usage', '--json')).stdout.split('\n');
  expect(JSON.parse(line!)).toHaveProperty('output_bytes');

  expect((await run('suspend', 'by program')).stdout).toMatch(/^by program \(.*\): suspended since 2/);
  expect((await apiOf({ url: stack.url, key }).call('GET', '/v1/threads')).status).toBe(403);
  expect((await run('resume', id)).stdout).toMatch(/: in use\n$/);
  expect((await run('pause-compaction', id)).stdout).toMatch(/: compaction paused since 2/);
  expect((await run('pause-compaction', '--all')).stdout).toMatch(
    /^All projects: compaction paused since .* Paused by themselves: 1\.\n$/,
  );
  expect((await run('resume-compaction', '--all')).stdout).toMatch(/^All projects: compaction runs\. Paused/);
  expect(JSON.parse((await run('resume-compaction', id, '--json')).stdout)).toMatchObject({
    compaction_paused_at: null,
  });
});

test.each([
  ['no password', {}, ['projects'], 3, 'SPILLWAY_OPERATOR_PASSWORD is not set'],
  [
    'a wrong password',
    { SPILLWAY_OPERATOR_PASSWORD: 'x'.repeat(40) },
    ['projects'],
    3,
    'the value that it has',
  ],
  ['no project of this name', undefined, ['projects', 'suspend', 'nobody'], 4, '`spillway projects` lists'],
  ['no project', undefined, ['projects', 'suspend'], 2, 'needs a project'],
  ['a project and all', undefined, ['projects', 'pause-compaction', 'x', '--all'], 2, 'not both'],
  [
    'an option of another action',
    undefined,
    ['projects', 'suspend', 'x', '--all'],
    2,
    '--all does not go with',
  ],
  ['a word too many', undefined, ['projects', 'usage', 'x'], 2, 'takes no further word'],
])('`spillway projects` with %s says what to do', async (_what, env, words, code, says) => {
  const ended = await runCommand(
    { url: stack.url, key: '' },
    words,
    env ?? { SPILLWAY_OPERATOR_PASSWORD: operatorPassword },
  );
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(says);
});

import type { Schemas } from '@spillway/client';
import { apiOf, longestSample, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOf, toolResult } from '../tool-calls.js';
import { full, image, linesOf, log, parsed, rewritten, type Line } from './backup-lines.js';
import { filesIn } from '../uploads/upload-client.js';

let stack: Stack;
let from: Api;
let to: Api;
let toKey: string;
let backup: string;

/** A thread with everything that a backup has to hold. */
async function makeThread(): Promise<void> {
  await from.createThread({
    id: 'full',
    model: 'gpt-4o',
    system: 'You build software. \u2028',
    metadata: { user: '42' },
    policy: { context: { context_window: 10_000 }, outputs: { threshold_tokens: 600 } },
  });
  const { messages } = longestSample();
  for (let i = 0; i < 120; i += 40) {
    await from.append('full', ...messages.slice(i, i + 40));
    await folded();
    await from.context('full');
  }
  await from.append(
    'full',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] },
    { role: 'assistant', content: null, tool_calls: [callOf('b1'), callOf('b2')] },
    toolResult('b1', log(900)),
    { role: 'tool', tool_call_id: 'b2', content: [{ type: 'text', text: log(700) }] },
    { role: 'user', content: 'From now on, always answer in French.', id: 'rule' },
    { role: 'assistant', content: 'This is taken back.' },
    { role: 'user', content: 'And this is erased: hunter2.' },
  );
  const { last_seq: last } = await from.thread('full');
  await must('POST', `${full}/rewind`, { to_seq: last - 2 });
  const { messages: posted } = await from.append('full', { role: 'user', content: 'A secret: hunter3.' });
  await must('DELETE', `${full}/messages/${posted[0]!.seq}`);
  await must('PATCH', `${full}/messages/${last - 2}`, { pinned: true });
  await must('POST', `${full}/instructions`, { text: 'Never push to main.' });
  await folded();
  await from.context('full');
}

const folded = () =>
  until('it is folded', async () => {
    const { compaction } = await from.thread('full');
    return compaction.state === 'idle' || compaction.state === 'parked';
  });

async function must<T>(method: string, path: string, body?: unknown, api = from): Promise<T> {
  const answer = await api.call<T>(method, path, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const restore = (id: string, body: string, api = to) =>
  api.call<Schemas['ThreadRestored'] & { code: string; detail: string }>(
    'PUT',
    `/v1/threads/${id}/backup`,
    body,
  );

beforeAll(async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  from = apiOf(stack);
  toKey = await stack.addProject('restored');
  to = apiOf({ url: stack.url, key: toKey });
  await makeThread();
  const answer = await from.call<string>('GET', `${full}/backup`);
  expect(answer.status).toBe(200);
  backup = answer.body;
});
afterAll(() => stack?.stop());

const eventsOf = async (key: string) =>
  (
    await apiOf({ url: stack.url, key }).call<{ data: { type: string }[] }>(
      'GET',
      `${full}/events?limit=1000`,
    )
  ).body.data.map(({ type }) => type);

describe('a thread that is restored from its backup', () => {
  beforeAll(async () => {
    const answer = await restore('full', backup);
    expect(answer).toMatchObject({
      status: 201,
      body: { id: 'full', missing_outputs: 0, missing_media: 0, media: 1, same_context: true },
    });
    expect(answer.body.outputs).toBeGreaterThan(2);
    expect(answer.body.summaries).toBeGreaterThan(1);
  }, 60_000);

  test('has the same context, in every format', async () => {
    for (const format of ['openai', 'anthropic', 'responses', 'ai-sdk']) {
      const [was, is] = [
        await from.context('full', `?format=${format}`),
        await to.context('full', `?format=${format}`),
      ];
      expect(is.messages).toEqual(was.messages);
      expect({ ...is, messages: [] }).toEqual({ ...was, messages: [] });
    }
  });

  test.each([
    ['thread', '', ['created_at', 'updated_at']],
    ['messages as posted', '/messages?view=original&limit=1000', ['expires_at']],
    ['messages in the context', '/messages?view=context&limit=1000', ['expires_at']],
    ['summaries', '/summaries?limit=100', []],
    ['instructions', '/instructions?limit=100', []],
    ['compactions', '/compactions?limit=100', []],
    ['outputs', '/outputs?limit=100', ['expires_at']],
    ['a context of earlier', '/context?at=60', []],
    ['search', '/search?q=step', ['next_cursor']],
  ])('has the same: %s', async (_what, path, differing) => {
    const without = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, inner: unknown) => (differing.includes(key) ? undefined : inner)),
      );
    expect(without(await must('GET', full + path, undefined, to))).toEqual(
      without(await must('GET', full + path)),
    );
  });

  test('has the bytes of its outputs', async () => {
    const outputs = await must<Schemas['OutputList']>('GET', `${full}/outputs?limit=100`, undefined, to);
    for (const { id, state } of outputs.data) {
      const [was, is] = [
        await from.call('GET', `/v1/outputs/${id}/content`),
        await to.call('GET', `/v1/outputs/${id}/content`),
      ];
      expect([state, is.status, is.body]).toEqual([state, was.status, was.body]);
    }
  });

  test('has outputs that live as long as they had to live', async () => {
    // Of a backup that is sixty days old: its outputs would have expired a month ago.
    const age = 60 * 86_400_000;
    const earlier = (time: unknown) => new Date(Date.parse(String(time)) - age).toISOString();
    const lines = parsed(backup)
      .slice(0, -1)
      .map((line): Line => {
        if (line.type === 'spillway-thread') return { ...line, made_at: earlier(line.made_at) };
        if (line.table !== 'outputs') return line;
        const row = line.row as { expires_at: string };
        return { ...line, row: { ...row, expires_at: earlier(row.expires_at) } };
      });
    const old = apiOf({ url: stack.url, key: await stack.addProject('old') });
    expect(await restore('full', rewritten(lines), old)).toMatchObject({ status: 201 });
    const { data } = await must<Schemas['OutputList']>('GET', `${full}/outputs?limit=100`, undefined, old);
    expect(data.length).toBeGreaterThan(2);
    for (const { state, expires_at: expires } of data)
      if (state === 'ready') expect(Date.parse(expires!)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  test('has no attempt that runs: one that ran when the backup was made was lost', async () => {
    const lines = parsed(backup).slice(0, -1);
    const ran = lines.filter(({ table }) => table === 'compaction_attempts').at(-1)!;
    const running = { ...ran, row: { ...(ran.row as object), outcome: null, ended_at: null } };
    const body = rewritten(lines.map((line) => (line === ran ? running : line)));
    const other = apiOf({ url: stack.url, key: await stack.addProject('running') });
    expect(await restore('full', body, other)).toMatchObject({ status: 201 });
    const [newest] = await other.compactions('full');
    expect(newest).toMatchObject({ outcome: 'lost', duration_ms: expect.any(Number) as number });
  });

  test('does not bring back what was erased', () => {
    expect(backup).not.toContain('hunter3');
    expect(backup).toContain('hunter2');
  });

  test('goes on: it takes messages, and is folded again', async () => {
    const { messages } = longestSample();
    const { generation } = (await to.thread('full')).compaction;
    for (let i = 120; i < 200; i += 40) await to.append('full', ...messages.slice(i, i + 40));
    await until(
      'it is folded again',
      async () => (await to.thread('full')).compaction.generation > generation,
    );
    const { tokens, budget } = await to.context('full');
    expect(tokens.total).toBeLessThanOrEqual(budget.limit);
  });

  test('tells of itself once, and not of what happened long ago', async () => {
    const restored = await to.call<{ data: { action: string; target: string }[] }>(
      'GET',
      '/v1/audit?limit=1000',
    );
    const about = restored.body.data.filter(({ action }) =>
      /^(thread|summary|message|instruction)/.test(action),
    );
    expect(about).toMatchObject([{ action: 'thread.restored', target: 'full' }]);
    expect(await eventsOf(stack.key)).toContain('thread.rewound');
    expect(await eventsOf(toKey)).not.toContain('thread.rewound');
    // The oldest event is that its messages are there.
    expect((await eventsOf(toKey)).at(-1)).toBe('message.recorded');
  });

  test('is refused where its id is taken, or its outputs are there', async () => {
    expect(await restore('full', backup)).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
    const twice = await restore('copy', backup);
    expect(twice).toMatchObject({ status: 409, body: { code: 'thread_exists' } });
    expect(twice.body.detail).toContain('outputs of this backup');
    expect((await to.call('GET', '/v1/threads/copy')).status).toBe(404);
  });
});

describe('a backup that is not whole leaves nothing', () => {
  const state = async () => ({
    // Media are swept an hour later, as those of messages that were not recorded.
    files: filesIn(stack.outputsFolder).filter((name) => !name.endsWith('.png')).length,
    rows: await rowsOf(stack.databaseUrl, 'SELECT count(*)::int AS n FROM outputs'),
    threads: await rowsOf(stack.databaseUrl, 'SELECT count(*)::int AS n FROM threads'),
  });
  let lines: Line[];
  let before: Awaited<ReturnType<typeof state>>;
  let empty: Api;
  beforeAll(async () => {
    lines = parsed(backup).slice(0, -1);
    empty = apiOf({ url: stack.url, key: await stack.addProject('empty') });
    before = await state();
  });
  const isRefused = async (body: string, detail: string | RegExp) => {
    const answer = await restore('full', body, empty);
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    expect(answer.body.detail).toMatch(detail);
    await until('no bytes are left', async () => JSON.stringify(await state()) === JSON.stringify(before));
    expect((await empty.call('GET', full)).status).toBe(404);
  };

  test('cut off anywhere', async () => {
    for (const share of [0, 0.01, 0.3, 0.6, 0.9, 0.9999])
      await isRefused(backup.slice(0, Math.floor(backup.length * share)), /was cut off|is not JSON/);
    await isRefused(`${linesOf(backup).slice(0, -1).join('\n')}\n`, /ends after line \d+/);
  });

  test('altered anywhere', async () => {
    const word = 'From now on, always answer in French.';
    expect(backup).toContain(word);
    await isRefused(backup.replace(word, word.replace('French', 'Danish')), /altered or damaged/);
    const data = /"data":"(.{200})/.exec(backup)![1]!;
    const swapped = data.slice(0, 90) + (data[90] === 'A' ? 'B' : 'A') + data.slice(91);
    await isRefused(backup.replace(data, swapped), /are not those that/);
    await isRefused(`${backup}{}\n`, /more after its last line/);
  });

  const withMedia = (path: (string | number)[]) => (all: Line[]) =>
    all.map((line) => {
      const row = line.row as { media?: string | null };
      if (line.table !== 'messages' || !row.media) return line;
      const [medium] = JSON.parse(row.media) as object[];
      return { ...line, row: { ...row, media: JSON.stringify([{ ...medium, path }]) } };
    });
  const at = (change: (lines: Line[]) => object[]) => rewritten(change(structuredClone(lines)));
  test.each<[string, (lines: Line[]) => object[], RegExp]>([
    ['of another version', ([head, ...rest]) => [{ ...head, version: 2 }, ...rest], /version 2/],
    ['without its head', ([, ...rest]) => rest, /does not begin/],
    ['with a table that no backup has', (all) => [...all.slice(0, 2), { type: 'row', table: 'api_keys', row: { id: 1 } }, ...all.slice(2)], /rows of api_keys/],
    ['with a column of a newer server', (all) => all.map((line) => line.table === 'rewinds' ? { ...line, row: { ...(line.row as object), mood: 1 } } : line), /newer Spillway made it/],
    ['with a column that is SQL', (all) => all.map((line) => line.table === 'rewinds' ? { ...line, row: { ...(line.row as object), 'key) VALUES (1); --': 1 } } : line), /newer Spillway made it/],
    ['with a message that cannot be read', (all) => all.map((line) => line.table === 'messages' ? { ...line, row: { ...(line.row as object), body: '"x"' } } : line), /message 1 cannot be read/],
    ['with other bytes of an output', (all) => all.map((line) => line.type === 'bytes' ? { ...line, data: Buffer.from(String(line.data), 'base64').fill(65, 0, 1).toString('base64') } : line), /the bytes of out_\w+ are not those that its row names/],
    ['without the bytes of an output', (all) => all.filter(({ type }) => type !== 'bytes'), /the bytes of out_\w+ are missing/],
    ['with bytes of an output that it does not have', (all) => [...all, { type: 'bytes', output: `out_${'0'.repeat(32)}`, part: 'text', data: '' }], /no row of it names/],
    ['with a lost part that no output has', (all) => [...all, { type: 'missing', output: all.find(({ type }) => type === 'bytes')!.output, part: 'text' }], /misses a part of out_\w+ that no output has/],
    ['with two threads', (all) => [...all.slice(0, 2), ...all.slice(1)], /not exactly one thread/],
    ['with a policy that is none', (all) => all.map((line) => line.table === 'threads' ? { ...line, row: { ...(line.row as object), policy: '{"context":{"trigger_ratio":7}}' } } : line), /./],
    ['with a row that does not fit', (all) => all.map((line) => line.table === 'summaries' ? { ...line, row: { ...(line.row as object), generation: 'x' } } : line), /does not fit its table/],
  ])('%s', async (_what, change, detail) => { await isRefused(at(change), detail); }); // prettier-ignore

  test.each<[string, (lines: Line[]) => object[], RegExp]>([
    ['with media of a message at a place that reaches the prototype of all objects', withMedia(['__proto__', 'polluted']), /message \d+ cannot be read/],
    ['with media of a message at a place that it does not have', withMedia(['content', 0, 'image_url', 'other']), /message \d+ cannot be read/],
    ['with a row of another project', (all) => all.map((line) => line.table === 'rewinds' ? { ...line, row: { ...(line.row as object), project_id: '00000000-0000-4000-8000-000000000000' } } : line), /names its project or its thread/],
    ['with a line of half a million values', (all) => all.map((line) => line.table === 'rewinds' ? { ...line, row: { ...(line.row as object), key: Array.from({ length: 500_000 }, () => []) } } : line), /line \d+ has more than 250000 values/],
    ['with a message of half a million values', (all) => all.map((line) => line.table === 'messages' && (line.row as { seq: number }).seq === 1 ? { ...line, row: { ...(line.row as object), body: `{"content":"","x":[${'[],'.repeat(500_000)}[]]}` } } : line), /the column body of messages has more than 250000 values/],
    ['with a line of a thousand levels', (all) => all.map((line) => line.table === 'rewinds' ? { ...line, row: { ...(line.row as object), key: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) as unknown } } : line), /line \d+ is nested deeper than 64 levels/],
  ])('%s', async (_what, change, detail) => { await isRefused(at(change), detail); }); // prettier-ignore
});

test(
  'a thread that is appended to and folded meanwhile is backed up as it was at one moment',
  { tags: 'long' },
  async () => {
    const source = apiOf({ url: stack.url, key: await stack.addProject('busy') });
    await source.createThread({ id: 'busy', policy: { context: { context_window: 10_000 } } });
    const { messages } = longestSample();
    let isDone = false;
    const agent = (async () => {
      for (let i = 0; !isDone && i < messages.length; i += 10)
        await source.append('busy', ...messages.slice(i, i + 10));
    })();
    try {
      for (let i = 0; i < 8; i++) {
        const { status, body } = await source.call<string>('GET', '/v1/threads/busy/backup');
        expect(status).toBe(200);
        const copy = apiOf({ url: stack.url, key: await stack.addProject(`busy-${i}`) });
        const restored = await restore('busy', body, copy);
        expect(restored).toMatchObject({ status: 201, body: { missing_outputs: 0 } });
        expect(restored.body.same_context).not.toBe(false);
        const { last_seq: last } = await copy.thread('busy');
        expect(restored.body.messages).toBe(last);
        expect(await copy.originals('busy')).toEqual(messages.slice(0, last));
        const { tokens, budget } = await copy.context('busy');
        expect(tokens.total).toBeLessThanOrEqual(budget.limit);
      }
    } finally {
      isDone = true;
      await agent;
    }
  },
);

test('an output whose bytes are lost is backed up as lost, and the thread is restored without them', async () => {
  const other = apiOf({ url: stack.url, key: await stack.addProject('damaged') });
  await other.append(
    'damaged',
    { role: 'user', content: 'Build.' },
    { role: 'assistant', content: null, tool_calls: [callOf('c')] },
    toolResult('c', log(3_000)),
  );
  const [{ key }] = (await rowsOf<{ key: string }>(
    stack.databaseUrl,
    `SELECT o.blob_key AS key FROM outputs o JOIN threads t ON t.uid = o.thread_uid WHERE t.id = 'damaged'`,
  )) as [{ key: string }];
  await rm(`${stack.outputsFolder}/${key}`);
  const { body } = await other.call<string>('GET', '/v1/threads/damaged/backup');
  expect(parsed(body).at(-2)).toMatchObject({ type: 'missing' });
  const third = apiOf({ url: stack.url, key: await stack.addProject('repaired') });
  expect(await restore('damaged', body, third)).toMatchObject({
    status: 201,
    body: { outputs: 1, missing_outputs: 1, same_context: true },
  });
  const { data } = await must<Schemas['OutputList']>('GET', '/v1/threads/damaged/outputs', undefined, third);
  expect(data).toMatchObject([{ state: 'corrupt' }]);
});

test('an output of which only the posted form is lost is restored with its text', async () => {
  const other = apiOf({ url: stack.url, key: await stack.addProject('half-damaged') });
  const text = log(3_000);
  await other.append(
    'half',
    { role: 'user', content: 'Build.' },
    { role: 'assistant', content: null, tool_calls: [callOf('c')] },
    { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text }] },
  );
  const [{ key }] = (await rowsOf<{ key: string }>(
    stack.databaseUrl,
    `SELECT o.original_key AS key FROM outputs o JOIN threads t ON t.uid = o.thread_uid WHERE t.id = 'half'`,
  )) as [{ key: string }];
  const bytes = await readFile(`${stack.outputsFolder}/${key}`);
  for (const [name, damage] of [
    ['gone', () => rm(`${stack.outputsFolder}/${key}`)],
    ['altered', () => writeFile(`${stack.outputsFolder}/${key}`, bytes.with(20, bytes[20]! ^ 1))],
  ] as const) {
    await damage();
    const { body } = await other.call<string>('GET', '/v1/threads/half/backup');
    expect(parsed(body).at(-2), name).toMatchObject({ type: 'missing', part: 'original' });
    const third = apiOf({ url: stack.url, key: await stack.addProject(`mended-${name}`) });
    expect(await restore('half', body, third)).toMatchObject({
      status: 201,
      body: { outputs: 1, missing_outputs: 0, same_context: true },
    });
    const { data } = await must<Schemas['OutputList']>('GET', '/v1/threads/half/outputs', undefined, third);
    expect(data).toMatchObject([{ state: 'ready' }]);
    expect(await third.call('GET', `/v1/outputs/${data[0]!.id}/content`)).toMatchObject({ body: text });
  }
});

test('media of a backup that is arriving stay reserved until its thread is there', async () => {
  const slow = await stack.startApi({ SPILLWAY_TIME_DIVISOR: '600' });
  const key = await stack.addProject('slowly');
  const there = apiOf({ url: stack.url, key });
  const end = backup.lastIndexOf('{"type":"end"');
  const sent = request(`${slow.url}/v1/threads/slowly/backup`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.write(backup.slice(0, end));
  const count = async (which: string) =>
    (
      await rowsOf(
        stack.databaseUrl,
        `SELECT FROM media m JOIN projects p ON p.id = m.project_id
       WHERE p.name = 'slowly' AND ${which}`,
      )
    ).length;
  await until('they have arrived', async () => (await count('true')) === 1);
  // As if they had arrived two hours ago: a sweep would remove them.
  await rowsOf(stack.databaseUrl, `UPDATE media SET touched_at = touched_at - interval '2 hours'`);
  await until(
    'they are reserved again',
    async () => (await count(`touched_at > now() - interval '1 minute'`)) === 1,
  );
  sent.end(backup.slice(end));
  const [response] = await answered;
  expect(response.statusCode).toBe(201);
  expect(await json(response)).toMatchObject({ media: 1, missing_media: 0 });
  expect((await there.thread('slowly')).last_seq).toBeGreaterThan(0);
});

test('an erased id, another scope and no thread are refused', async () => {
  await from.createThread({ id: 'gone' });
  await must('DELETE', '/v1/threads/gone');
  expect(await restore('gone', backup, from)).toMatchObject({ status: 410, body: { code: 'thread_erased' } });
  expect(await from.call('GET', '/v1/threads/nowhere/backup')).toMatchObject({ status: 404 });
  const { key } = await must<Schemas['KeyCreated']>('POST', '/v1/keys', {
    name: 'manager',
    scopes: ['threads:manage', 'context:read', 'outputs:read', 'messages:write'],
  });
  const manager = apiOf({ url: stack.url, key });
  expect(await manager.call('GET', `${full}/backup`)).toMatchObject({ status: 403 });
  expect(await restore('elsewhere', backup, manager)).toMatchObject({ status: 403 });
});

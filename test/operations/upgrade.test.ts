// @module-tag long
import { createHash } from 'node:crypto';
import { migrate } from '@spillway/store';
import { apiOf, databaseOf, rowsOf, startStack, until, type Stack } from '@spillway/testing';
import { afterAll, expect, test } from 'vitest';

const firstMigration = '20261121000000_first';
const project = '11111111-1111-4111-8111-111111111111';
const thread = '22222222-2222-4222-8222-222222222222';
const key = `sw_${'a'.repeat(40)}`;
const policy = { context: { context_window: 4_000, trigger_ratio: 0.6 } };
const covered = 6;
const messages = Array.from({ length: 16 }, (_, i) => ({
  role: i % 2 ? 'assistant' : 'user',
  content: `Message ${i + 1} of the first version. ${'All work and no play. '.repeat(10)}`,
}));

let stack: Stack | undefined;
afterAll(() => stack?.stop());

/** What the first version would have written: a thread with a summary of its first messages. */
async function writeAsFirstVersion(databaseUrl: string): Promise<void> {
  await rowsOf(databaseUrl, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [project, 'old']);
  await rowsOf(
    databaseUrl,
    `INSERT INTO api_keys (project_id, name, prefix, hash, scopes) VALUES ($1, 'old', 'sw_a', $2, '{admin}')`,
    [project, createHash('sha256').update(key).digest()],
  );
  await rowsOf(
    databaseUrl,
    `INSERT INTO threads (project_id, uid, id, policy, next_seq, live_tokens, total_tokens, context_window, limit_tokens,
       trigger_tokens, generation, last_generation, covered_through, read_seq)
     VALUES ($1, $2, 'kept', $3, $4, 700, 1100, 4000, 3000, 2400, 1, 1, $5, $4::int - 1)`,
    [project, thread, JSON.stringify(policy), messages.length + 1, covered],
  );
  for (const [i, message] of messages.entries()) {
    const body = JSON.stringify(message);
    await rowsOf(
      databaseUrl,
      `INSERT INTO messages (project_id, thread_uid, seq, client_id, role, pinned, tokens, full_tokens, body, hash)
       VALUES ($1, $2, $3, $4, $5, false, 70, 70, $6, $7)`,
      [project, thread, i + 1, `id-${i}`, message.role, body, createHash('sha256').update(body).digest()],
    );
  }
  const fields = { task_overview: 'The old task.', current_state: '', important_discoveries: '' };
  await rowsOf(
    databaseUrl,
    `INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq, carried,
       fields, text, tokens, tokens_before, tokens_after, method)
     VALUES ($1, $2, 1, 1, 1, $3, $3, $3, '{}', $4, 'Notes: the old task.', 20, 420, 720, 'extractive')`,
    [project, thread, covered, JSON.stringify({ ...fields, next_steps: '', context_to_preserve: '' })],
  );
}

test('a database of the first version, with a thread in it, is migrated and goes on from there', async () => {
  const databaseUrl = await databaseOf(firstMigration);
  await writeAsFirstVersion(databaseUrl);
  expect((await migrate(databaseUrl)).length).toBeGreaterThan(10);
  expect(await migrate(databaseUrl)).toEqual([]);

  stack = await startStack({ databaseUrl, env: { SPILLWAY_POLL_MS: '300' } });
  const api = apiOf({ url: stack.url, key });
  const { body: listed } = await api.call<{ data: { message: object }[] }>(
    'GET',
    '/v1/threads/kept/messages?view=original',
  );
  expect(listed.data.map(({ message }) => message)).toEqual(messages);
  const context = await api.context('kept');
  expect(context.summary).toMatchObject({ generation: 1, from_seq: 1, to_seq: covered });
  expect(context.messages[0]).toEqual({ role: 'user', content: 'Notes: the old task.' });
  expect(context.messages.slice(-1)).toEqual(messages.slice(-1));
  expect((await api.context('kept', '?at=3')).messages).toEqual(messages.slice(0, 3));
  // A process that is busy with its start refuses searches first.
  const found = await until('a search is answered', async () => {
    const path = '/v1/threads/kept/search?q=%22Message%202%20of%22';
    const answer = await api.call<{ data: { seq: number }[] }>('GET', path);
    return answer.status === 200 && answer.body.data;
  });
  expect(found.map(({ seq }) => seq)).toEqual([2]);

  const more = Array.from({ length: 16 }, (_, i) => ({
    ...messages[i]!,
    content: `New: ${messages[i]!.content}`,
  }));
  expect((await api.append('kept', ...more)).messages[0]!.seq).toBe(messages.length + 1);
  await until('it is compacted', async () => {
    const { compaction } = await api.thread('kept');
    return compaction.generation > 1 && compaction.state === 'idle';
  });
  const [first, second] = await api.summaries('kept');
  expect(second).toMatchObject({ from_seq: first!.to_seq + 1, active: true });
  expect((await api.call('DELETE', '/v1/threads/kept/messages/1')).status).toBe(204);
  expect((await api.call('DELETE', '/v1/threads/kept')).status).toBe(204);
});

test('stored policies get the new names of their keys: of projects, threads and pending requests, and in locks', async () => {
  const databaseUrl = await databaseOf('20261122150000_uploads');
  const before = {
    preset: 'dawn',
    locks: ['context.max_tokens', 'summary.max_tokens', 'outputs.limit_tokens'],
    context: { max_tokens: null, output_reserve: 500, trigger_ratio: 0.5 },
    // What looks like a former key in a text or a schema is not one.
    summary: {
      max_tokens: 400,
      prompt: 'max_tokens, \\ and "output_reserve" \\u0000',
      schema: { properties: { context: { description: 'limit_tokens \0 \ud800', max_tokens: 1 } } },
    },
    outputs: { limit_tokens: 700, exempt_tools: ['output_reserve'] },
  };
  const after = {
    ...before,
    locks: ['context.trigger_tokens', 'summary.max_tokens', 'outputs.threshold_tokens'],
    context: { trigger_tokens: null, response_reserve: 500, trigger_ratio: 0.5 },
    outputs: { threshold_tokens: 700, exempt_tools: ['output_reserve'] },
  };
  const none = { locks: [], summary: { max_tokens: 100 } };
  const rows: [id: string, policy: object, request: object | null][] = [
    ['all', before, { kind: 'manual', policy: { context: { max_tokens: 1, output_reserve: 0 } } }],
    ['none', none, { kind: 'manual' }],
    ['empty', {}, null],
  ];
  await rowsOf(databaseUrl, 'INSERT INTO projects (id, name, policy) VALUES ($1, $2, $3)', [
    ...[project, 'old', JSON.stringify(before)],
  ]);
  for (const [id, policy, request] of rows) {
    await rowsOf(
      databaseUrl,
      `INSERT INTO threads (project_id, id, policy, request, context_window, limit_tokens, trigger_tokens)
       VALUES ($1, $2, $3, $4, 4000, 3000, 2400)`,
      [project, id, JSON.stringify(policy), request && JSON.stringify(request)],
    );
  }
  const history =
    'SELECT (SELECT count(*) FROM audit_log) AS audited, (SELECT count(*) FROM events) AS events';
  const recorded = await rowsOf(databaseUrl, history);
  await migrate(databaseUrl);

  const read = async (sql: string) =>
    (await rowsOf<{ id: string; value: string | null }>(databaseUrl, sql)).map(({ id, value }) => [
      id,
      value && (JSON.parse(value) as unknown),
    ]);
  expect(await read('SELECT name AS id, policy AS value FROM projects')).toEqual([['old', after]]);
  expect(await read('SELECT id, policy AS value FROM threads ORDER BY id')).toEqual([
    ['all', after],
    ['empty', {}],
    ['none', none],
  ]);
  expect(await read('SELECT id, request AS value FROM threads ORDER BY id')).toEqual([
    ['all', { kind: 'manual', policy: { context: { trigger_tokens: 1, response_reserve: 0 } } }],
    ['empty', null],
    ['none', { kind: 'manual' }],
  ]);
  expect(await rowsOf(databaseUrl, history)).toEqual(recorded);
  const [disabled] = await rowsOf<{ n: number }>(
    databaseUrl,
    "SELECT count(*)::int AS n FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'",
  );
  expect(disabled!.n).toBe(0);
});

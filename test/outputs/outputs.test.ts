import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
import { toolCall } from '../tool-calls.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({
    env: { SPILLWAY_GRACE_MS: '1', SPILLWAY_POLL_MS: '500', SPILLWAY_TIME_DIVISOR: '20' },
  });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const lines = Array.from(
  { length: 5_000 },
  (_, i) => `line ${i + 1}: ${i === 2_999 ? 'ERROR disk full' : 'fine 😀'}`,
);
const log = `${lines.join('\n')}\n`;
const call = (id: string, name = 'bash') => toolCall(id, name);
const result = (id: string, content: unknown, extra: object = {}) => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...extra,
});

async function offload(thread: string, content: unknown = log, extra: object = {}): Promise<string> {
  const posted = await api.append(
    thread,
    { role: 'user', content: 'run it' },
    call('c1'),
    result('c1', content, extra),
  );
  return posted.messages[2]!.output!.id;
}

describe('a large tool result', () => {
  test('is a stub in the context that says exactly what is missing, and whole in the original', async () => {
    const id = await offload('stub');
    const context = await api.context('stub');
    const stub = (context.messages[2] as { content: string }).content;
    expect(stub).toContain(id);
    expect(stub).toContain('5,000 lines');
    expect(stub).toMatch(/--- lines 6-29\d\d not shown ---/);
    expect(stub).toContain('line 3000: ERROR disk full');
    expect(context.tokens.total).toBeLessThan(1_000);
    expect((await api.originals('stub'))[2]).toEqual(result('c1', log));
  });

  test('made of content parts, or holding what UTF-8 cannot, comes back value for value', async () => {
    const parts = [
      { type: 'text', text: log },
      { type: 'text', text: 'more' },
    ];
    await offload('parts', parts);
    expect((await api.originals('parts'))[2]).toEqual(result('c1', parts));
    const broken = `${log}\ud800 and \0`;
    await offload('surrogate', broken);
    expect((await api.originals('surrogate'))[2]).toEqual(result('c1', broken));
  });

  test('posted after its call has the tool of that, whatever characters are in the id', async () => {
    // "_" stands for any character in a pattern of SQL, and a backslash and a quote are written otherwise in JSON.
    const [under, similar, odd] = ['call_1', 'callX1', 'a\\b"c'];
    await api.append('ids', call(under, 'read_file'), call(similar, 'bash'), call(odd, 'grep'));
    for (const [id, tool] of [
      [under, 'read_file'],
      [similar, 'bash'],
      [odd, 'grep'],
    ] as const) {
      const posted = await api.append('ids', result(id, log));
      const output = await api.call<{ tool: string }>('GET', `/v1/outputs/${posted.messages[0]!.output!.id}`);
      expect([id, output.body.tool]).toEqual([id, tool]);
    }
  });

  test('of an exempt tool stays, by its own name or by that of its call', async () => {
    const read = lines.slice(0, 200).join('\n');
    const policy = { outputs: { threshold_tokens: 500 }, context: { context_window: 64_000 } };
    for (const id of ['exempt', 'exempt-later', 'exempt-named']) await api.createThread({ id, policy });
    const posted = await api.append('exempt', call('c1', 'read_file'), result('c1', read));
    expect(posted.messages[1]!.tokens).toBeGreaterThan(1_000);
    expect(posted.messages[1]!.output).toBeNull();
    await api.append('exempt-later', call('c2', 'read_file'));
    expect((await api.append('exempt-later', result('c2', read))).messages[0]!.output).toBeNull();
    const named = await api.append('exempt-named', call('c3'), result('c3', read, { name: 'grep_output' }));
    expect(named.messages[1]!.output).toBeNull();
    const huge = await api.append('exempt', call('c4', 'read_file'), result('c4', log));
    expect(huge.messages[1]!.output).not.toBeNull();
  });

  test('in a message with others is listed once, whatever the page', async () => {
    const some = (n: number) => Array.from({ length: n }, (_, i) => `c${i}`);
    for (const n of [3, 1, 4]) {
      const calls = some(n).map((id) => ({ type: 'tool_use', id, name: 'bash', input: {} }));
      const content = some(n).map((id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: `${id}\n${log}`,
      }));
      const messages = [
        { role: 'assistant', content: calls },
        { role: 'user', content },
      ];
      const posted = await api.call('POST', '/v1/threads/listed/messages?format=anthropic', { messages });
      expect(posted.status).toBe(201);
    }
    const pages = async (limit: number) => {
      const path = `/v1/threads/listed/outputs?limit=${limit}`;
      return (await everyPage<Schemas['OutputList']>(api, path)).flatMap(({ data }) =>
        data.map(({ id }) => id),
      );
    };
    const all = await pages(50);
    expect(new Set(all).size).toBe(8);
    for (const limit of [1, 2, 3, 4, 5, 7]) expect(await pages(limit), String(limit)).toEqual(all);
  });
});

describe('reading it', () => {
  let id: string;
  const read = (query: string, headers: Record<string, string> = {}) =>
    api.call<string>('GET', `/v1/outputs/${id}/content${query}`, undefined, headers);
  beforeAll(async () => (id = await offload('read')));

  test('by lines, head and tail', async () => {
    expect((await read('?lines=800-802')).body).toBe(`${lines.slice(799, 802).join('\n')}\n`);
    expect((await read('?lines=3000')).body).toBe(`${lines[2_999]}\n`);
    expect((await read('?head=2')).body).toBe(`${lines.slice(0, 2).join('\n')}\n`);
    expect((await read('?tail=2')).body).toBe(`${lines.slice(-2).join('\n')}\n`);
    expect((await read('?lines=4999-9999')).body).toBe(`${lines.slice(-2).join('\n')}\n`);
    expect((await read('?lines=6000-6001')).body).toBe('');
    expect((await read('?lines=9-8')).status).toBe(422);
    expect((await read('?head=1&tail=1')).status).toBe(422);
  });

  test('by bytes', async () => {
    const bytes = Buffer.from(log);
    const part = await read('', { range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`);
    expect(part.body).toBe(bytes.subarray(100, 200).toString());
    expect((await read('', { range: 'bytes=-5' })).body).toBe(bytes.subarray(-5).toString());
    expect((await read('')).body).toBe(log);
    for (const range of ['bytes=5-2', 'bytes=9999999999-', 'bytes=0-1,3-4', 'bytes=-0', 'bytes=x-']) {
      expect((await read('', { range })).status, range).toBe(416);
    }
  });

  test('by bytes, on the conditions of HTTP: the whole for another If-Range, 304 for the same ETag', async () => {
    const etag = (await read('')).headers.get('etag')!;
    const ifRange = async (value: string, range = 'bytes=100-199') => read('', { range, 'if-range': value });
    expect((await ifRange(etag)).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Wed, 25 Nov 2026 08:00:00 GMT', 'x']) {
      const whole = await ifRange(other);
      expect({ status: whole.status, bytes: whole.body.length }, other).toEqual({
        status: 200,
        bytes: log.length,
      });
      expect(whole.headers.get('content-range')).toBeNull();
    }
    expect((await ifRange('"other"', 'bytes=9999999999-')).status).toBe(200);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await read('', { 'if-none-match': known, range: 'bytes=0-9' });
      expect(unchanged.status, known).toBe(304);
      expect(unchanged.headers.get('etag')).toBe(etag);
    }
    expect((await read('', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('by lines, bounded in tokens, with the query that reads on', async () => {
    let query = 'lines=1000-4000';
    let text = '';
    let calls = 0;
    for (; query !== ''; calls++) {
      const part = await read(`?${query}`);
      expect(part.body.length).toBeLessThan(2_000 * 8);
      text += part.body;
      query = part.headers.get('spillway-next') ?? '';
    }
    expect(text).toBe(`${lines.slice(999, 4_000).join('\n')}\n`);
    expect(calls).toBeGreaterThan(5);
    const more = await read('?lines=1000-4000&max_tokens=20000');
    expect(more.body.length).toBeGreaterThan(30_000);
    expect(more.headers.get('spillway-next')).toMatch(/^lines=\d+-4000&max_tokens=20000$/);
  });

  test('with the number before each line, as text and as JSON', async () => {
    const numbered = `3000\t${lines[2_999]}\n3001\t${lines[3_000]}\n`;
    expect((await read('?lines=3000-3001&numbered=true')).body).toBe(numbered);
    const json = await api.call('GET', `/v1/outputs/${id}/content?lines=3000-3001`, undefined, {
      accept: 'application/json',
    });
    expect(json.body).toMatchObject({
      text: numbered,
      first_line: 3_000,
      last_line: 3_001,
      lines: 5_000,
      next: null,
    });
    const all = await api.call<{ next: string; tokens: number }>(
      'GET',
      `/v1/outputs/${id}/content`,
      undefined,
      { accept: 'application/json' },
    );
    expect(all.body.next).toMatch(/^lines=\d+-5000$/);
    expect(all.body.tokens).toBeLessThanOrEqual(2_000);
    expect((await read('?head=1000&numbered=true')).body).toMatch(
      /Continue with lines=\d+-1000&numbered=true\]\n$/,
    );
  });

  test('as inert text, whatever it holds', async () => {
    const { headers } = await read('?head=1');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('by grep, with context, case, a limit and a place to go on', async () => {
    const grep = (query: string) =>
      api.call<{
        matches: { line: number; before: string[]; after: string[] }[];
        next_cursor: string | null;
        truncated: boolean;
      }>('GET', `/v1/outputs/${id}/grep?${query}`);
    const found = (await grep('pattern=error&ignore_case=true&context=1')).body;
    expect(found).toMatchObject({ truncated: false, next_cursor: null });
    expect(found.matches).toEqual([
      {
        line: 3_000,
        column: 12,
        offset: Buffer.byteLength(`${lines.slice(0, 2_999).join('\n')}\n`) + 11,
        text: lines[2_999],
        before: [lines[2_998]],
        after: [lines[3_000]],
      },
    ]);
    const first = (await grep('pattern=fine&limit=2')).body;
    expect(first).toMatchObject({ truncated: true, next_cursor: '3' });
    expect((await grep(`pattern=fine&limit=1&cursor=${first.next_cursor}`)).body.matches[0]!.line).toBe(3);
    expect((await grep('pattern=nowhere')).body.matches).toEqual([]);
    for (const pattern of ['(a', '(?=x)', '(a)\\1']) {
      expect((await grep(`pattern=${encodeURIComponent(pattern)}`)).status, pattern).toBe(422);
    }
    const answer = await grep(`pattern=${encodeURIComponent('(f+)+(i+)+$')}`);
    expect(answer.status).toBe(200);
  });
});

test('bytes that changed on disk are never served as the original', async () => {
  const id = await offload('damaged');
  const [row] = await rowsOf<{ blob_key: string }>(
    stack.databaseUrl,
    'SELECT blob_key FROM outputs WHERE id = $1',
    [id],
  );
  const path = join(stack.outputsFolder, row!.blob_key);
  const bytes = await readFile(path);
  bytes[10] = bytes[10]! ^ 1;
  await writeFile(path, bytes);
  expect((await api.call('GET', '/v1/threads/damaged/messages?view=original')).status).toBe(200);
  expect((await api.call<{ state: string }>('GET', `/v1/outputs/${id}`)).body.state).toBe('corrupt');
  expect((await api.call('GET', `/v1/outputs/${id}/content`)).status).toBe(410);
});

test('the sweep takes expired outputs, then the oldest over the byte budget, keeps pinned ones, and leaves a tombstone and the stub', async () => {
  const other = apiOf({ ...stack, key: await stack.addProject('small') });
  await other.call('PUT', '/v1/policy', { outputs: { max_bytes: 250_000 } });
  const overBudget: string[] = [];
  for (const thread of ['oldest', 'older', 'new']) {
    const posted = await other.append(
      thread,
      { role: 'user', content: 'run it' },
      call('c1'),
      result('c1', log),
    );
    overBudget.push(posted.messages[2]!.output!.id);
  }
  const expired = await offload('sweep');
  const pinned = await offload('sweep-pinned');
  const fresh = await offload('sweep-fresh');
  await rowsOf(
    stack.databaseUrl,
    `UPDATE outputs SET expires_at = now() - interval '1 s', pinned = (id = $2) WHERE id IN ($1, $2)`,
    [expired, pinned],
  );
  // As scheduled: the test's process does not sweep. It may do so at any time from here on, or before.
  const gone = [expired, overBudget[0]];
  const keys = await rowsOf<{ key: string }>(
    stack.databaseUrl,
    'SELECT blob_key AS key FROM outputs WHERE id = ANY($1)',
    [gone],
  );
  const files = async () => new Set(await readdir(stack.outputsFolder, { recursive: true }));
  await until('it is swept', async () => {
    const left = await files();
    return keys.every(({ key }) => !left.has(key));
  });
  await until('tombstones are left', async () => {
    const states = await rowsOf<{ state: string }>(
      stack.databaseUrl,
      'SELECT state FROM outputs WHERE id = ANY($1)',
      [gone],
    );
    return states.every(({ state }) => state === 'deleted');
  });
  const states = await Promise.all(
    overBudget.map(
      async (id) => (await other.call<{ state: string }>('GET', `/v1/outputs/${id}`)).body.state,
    ),
  );
  expect(states).toEqual(['expired', 'ready', 'ready']);
  const tombstone = await api.call<{ state: string; deleted_at: string | null; sha256: string }>(
    'GET',
    `/v1/outputs/${expired}`,
  );
  expect(tombstone.body.state).toBe('expired');
  expect((await api.call('GET', `/v1/outputs/${expired}/content`)).status).toBe(410);
  for (const id of [pinned, fresh])
    expect((await api.call('GET', `/v1/outputs/${id}/content?head=1`)).status).toBe(200);
  const page = await api.call<{ data: { output: { state: string }; message: { content: string } }[] }>(
    'GET',
    '/v1/threads/sweep/messages?view=original&after=2',
  );
  expect(page.body.data[0]!.output.state).toBe('expired');
  expect(page.body.data[0]!.message.content).toContain(expired);
});

test('a large result of search hits in Anthropic’s format is an output, and is given back as it was posted', async () => {
  const content = Array.from({ length: 40 }, (_, n) => ({
    type: 'search_result',
    title: `Manual, page ${n}`,
    source: `https://example.com/manual/${n}`,
    content: [{ type: 'text', text: `Page ${n}: ${'how to change the filter of the pump, '.repeat(20)}` }],
  }));
  const call = { type: 'tool_use', id: 'hits', name: 'search', input: {} };
  const posted = [
    { role: 'user', content: 'What does the manual say?' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'hits', content }] },
  ];
  await api.createThread({
    id: 'hits',
    format: 'anthropic',
    policy: { context: { context_window: 16_000 } },
  });
  const { messages } = await api.append('hits', ...posted);
  expect(messages[2]!.output).not.toBeNull();
  const { body } = await api.call<{ messages: object[] }>('GET', '/v1/threads/hits/context');
  expect(JSON.stringify(body.messages)).toContain('read_output');
  const { body: originals } = await api.call<{ data: { message: object }[] }>(
    'GET',
    '/v1/threads/hits/messages?view=original',
  );
  expect(originals.data.map(({ message }) => message)).toEqual(posted);
});

test('a large result of a tool that the provider ran is an output, unless signed reasoning or a seal depends on it', async () => {
  const text = Array.from({ length: 300 }, (_, n) => `${n}: how to change the filter of the pump`).join('\n');
  const result = { type: 'mcp_tool_result', tool_use_id: 'srv', content: [{ type: 'text', text }] };
  const call = { type: 'mcp_tool_use', id: 'srv', name: 'manual', server_name: 'docs', input: {} };
  const answer = { type: 'text', text: 'Every year.' };
  const thought = { type: 'thinking', thinking: 'It says so.', signature: 'c2ln' };
  const found = { type: 'web_search_result', url: 'https://example.com', encrypted_content: text };
  const posted = [
    { role: 'user', content: 'When is the filter changed?' },
    { role: 'assistant', content: [thought, call, result, answer] },
    { role: 'user', content: 'Are you sure?' },
    { role: 'assistant', content: [call, result, thought, answer] },
    { role: 'user', content: 'Search for it.' },
    {
      role: 'assistant',
      content: [{ type: 'web_search_tool_result', tool_use_id: 'srv_2', content: [found] }, answer],
    },
  ];
  await api.createThread({
    id: 'provider-ran',
    format: 'anthropic',
    policy: { context: { context_window: 64_000 }, outputs: { threshold_tokens: 1_000 } },
  });
  const { messages } = await api.append('provider-ran', ...posted);
  expect(messages.map(({ output }) => output !== null)).toEqual([false, true, false, false, false, false]);
  expect(messages[1]!.tokens).toBeLessThan(messages[3]!.tokens);

  const { body } = await api.call<{ messages: { content: object[] }[] }>(
    'GET',
    '/v1/threads/provider-ran/context',
  );
  const shown = body.messages[1]!.content[2] as typeof result;
  expect(shown.content[0]!.text).toContain('read_output');
  expect(shown).toEqual({ ...result, content: [{ type: 'text', text: shown.content[0]!.text }] });
  expect(body.messages[3]).toEqual(posted[3]);
  const { body: outputs } = await api.call<{ data: { tool: string }[] }>(
    'GET',
    '/v1/threads/provider-ran/outputs',
  );
  expect(outputs.data.map(({ tool }) => tool)).toEqual(['manual']);
  const { body: originals } = await api.call<{ data: { message: object }[] }>(
    'GET',
    '/v1/threads/provider-ran/messages?view=original',
  );
  expect(originals.data.map(({ message }) => message)).toEqual(posted);
});

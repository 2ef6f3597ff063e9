import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  apiOf,
  startS3,
  startStack,
  sweepNow,
  until,
  type Api,
  type S3Server,
  type Stack,
} from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
import { toolResult } from '../tool-calls.js';
import { logOf, upload } from '../uploads/upload-client.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '300' } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    { id, type: 'function', function: { name: 'bash', arguments: '{"path":"src/say \\"hi\\".ts"}' } },
  ],
});
const filler = 'All work and no play makes a dull thread. '.repeat(20);
async function offload(thread: string, text: string): Promise<string> {
  const answer = toolResult('c1', text);
  const posted = await api.append(thread, { role: 'user', content: 'Run it.' }, call('c1'), answer);
  return posted.messages[2]!.output!.id;
}
interface Hits {
  data: {
    seq: number;
    role: string;
    snippet: string;
    covered_by: number | null;
    output: { id: string; line: number } | null;
  }[];
  next_cursor: string | null;
}
/** All hits: a page ends when the search has taken its time, and a busy machine needs several. */
async function search(thread: string, q: string): Promise<Pick<Hits, 'data'>> {
  const pages = await everyPage<Hits>(api, `/v1/threads/${thread}/search?q=${encodeURIComponent(q)}`);
  return { data: pages.flatMap(({ data }) => data) };
}

describe('a search of the whole history', () => {
  // Each row has a needle of its own, so none of them is odd and in the preview.
  const big = Array.from({ length: 9_000 }, (_, i) => `row ${i} holds Needle-${(i * 7) % 9_001}`).join('\n');
  beforeAll(async () => {
    await api.createThread({
      id: 'history',
      policy: { context: { context_window: 8_000, trigger_ratio: 0.4 } },
    });
    await api.append('history', { role: 'user', content: `The codeword is "blue heron", 100%. ${filler}` });
    await offload('history', big);
    await api.append(
      'history',
      ...Array.from({ length: 24 }, (_, i) => ({
        role: i % 2 ? 'user' : 'assistant',
        content: `Turn ${i}. ${filler}`,
      })),
    );
    await until('history is compacted', async () => (await api.thread('history')).compaction.generation > 0);
  });

  test('finds what a summary stands for, and says which', async () => {
    const { data } = await search('history', 'heron blue');
    expect(data[0]).toMatchObject({ seq: 1, role: 'user', covered_by: 1, output: null });
    expect(data[0]!.snippet).toContain('codeword is "blue heron"');
  });

  test('finds a line of an offloaded output', async () => {
    const { data } = await search('history', 'needle-3244');
    expect(data[0]).toMatchObject({ seq: 4, output: { line: 4_322 } });
    expect(data[0]!.snippet).toContain('row 4321 holds Needle-3244');
  });

  test.each([
    ['quotes and per cent signs as they are', '"blue heron", 100%', 1],
    ['the values in the arguments of a call', 'src/say "hi".ts', 3],
  ])('finds %s', async (_what, q, seq) => {
    expect((await search('history', q)).data[0]).toMatchObject({ seq });
  });

  test('gives what has some of the words when nothing has all, and nothing for nothing', async () => {
    expect((await search('history', 'heron zeppelin')).data[0]).toMatchObject({ seq: 1 });
    expect((await search('history', 'zeppelin')).data).toEqual([]);
    expect((await api.call('GET', '/v1/threads/history/search?q=%20')).status).toBe(422);
  });
});

describe('an output', () => {
  test('has an outline with lines to read it at', async () => {
    const code = Array.from(
      { length: 900 },
      (_, i) => `export function part${i}(x: number): number {\n  return x + ${i};\n}\n`,
    ).join('\n');
    const id = await offload('outlined', code);
    const { body } = await api.call<{ kind: string; items: { line: number; label: string }[] }>(
      'GET',
      `/v1/outputs/${id}/outline`,
    );
    expect(body.kind).toBe('code');
    expect(body.items[1]).toMatchObject({ line: 5, label: 'export function part1(x: number): number' });
  });

  test('that is pinned does not expire, and does again once it is not', async () => {
    const id = await offload('pinned', 'a line\n'.repeat(9_000));
    const path = `/v1/outputs/${id}`;
    const { body: before } = await api.call<{ expires_at: string }>('GET', path);
    expect(Date.parse(before.expires_at)).toBeGreaterThan(Date.now());
    const refs = async () =>
      (
        await api.call<{ data: { output: { expires_at: string | null } | null }[] }>(
          'GET',
          '/v1/threads/pinned/messages?view=context',
        )
      ).body.data.flatMap(({ output }) => output?.expires_at ?? (output ? null : []));
    for (const pinned of [true, false]) {
      const expires_at = pinned ? null : before.expires_at;
      const answer = await api.call(pinned ? 'POST' : 'DELETE', `${path}/pin`);
      expect(answer.body).toMatchObject({ pinned, expires_at });
      expect((await api.call('GET', path)).body).toMatchObject({ pinned, expires_at });
      expect(await refs()).toEqual([expires_at]);
    }
  });

  test('a pattern that would run for ever elsewhere is answered in time, and the API answers others meanwhile', async () => {
    const id = await offload('slow', `${'a'.repeat(30_000)}!\n`.repeat(60));
    let isRunning = true;
    const slow = api
      .call('GET', `/v1/outputs/${id}/grep?pattern=${encodeURIComponent('(a+)+$|(a|a)*b')}`)
      .finally(() => (isRunning = false));
    let meanwhile = 0;
    while (isRunning) {
      expect((await api.call('GET', '/v1/threads/slow')).status).toBe(200);
      if (isRunning) meanwhile++;
    }
    expect((await slow).status).toBe(200);
    // One may be answered before the search begins.
    expect(meanwhile).toBeGreaterThan(1);
  });

  test('whose bytes changed is not served, not even the part that is whole, and is known as corrupt', async () => {
    const id = await offload('damaged', Array.from({ length: 40_000 }, (_, i) => `line ${i}`).join('\n'));
    const files = await readdir(stack.outputsFolder, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files
        .filter((f) => f.isFile())
        .map(async (f) => ({
          path: join(f.parentPath, f.name),
          text: await readFile(join(f.parentPath, f.name), 'utf8'),
        })),
    );
    const file = sizes.find(({ text }) => text.includes('line 39999'))!;
    await truncate(file.path, file.text.length - 10);
    expect((await api.call('GET', `/v1/outputs/${id}/content?head=3`)).body).toBe('line 0\nline 1\nline 2\n');
    expect((await api.call('GET', `/v1/outputs/${id}/content?tail=3`)).status).toBe(410);
    expect((await api.call('GET', `/v1/outputs/${id}`)).body).toMatchObject({ state: 'corrupt' });
    expect((await api.call('GET', `/v1/outputs/${id}/content?head=3`)).status).toBe(410);
  });
});

describe("files in AgentScope's layout", () => {
  test('are in a folder of their thread, compacted messages in a context file that grep finds them in, and go with it', async () => {
    await api.createThread({
      id: 'archived',
      policy: { preset: 'agentscope', context: { context_window: 4_000 } },
    });
    await api.append(
      'archived',
      ...Array.from({ length: 24 }, (_, i) => ({
        role: i % 2 ? 'assistant' : 'user',
        content: `Fact ${i}. ${filler}`,
      })),
    );
    await until(
      'archived is compacted',
      async () => (await api.thread('archived')).compaction.generation > 0,
    );
    const [summary] = await api.summaries('archived');
    const files = await readdir(stack.outputsFolder, { recursive: true });
    const context = files.find((file) =>
      /threads\/[0-9a-f-]{36}\/context\/0000000001-\d{10}\.jsonl$/.test(file),
    )!;
    const lines = (await readFile(join(stack.outputsFolder, context), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(summary!.to_seq);
    expect(JSON.parse(lines[0]!)).toMatchObject({ seq: 1, format: 'openai', message: { role: 'user' } });
    const grep = ['-rl', 'Fact 0\\.', stack.outputsFolder];
    const { stdout: found } = await promisify(execFile)('grep', grep);
    expect(found.trim().split('\n')).toEqual([join(stack.outputsFolder, context)]);

    const folder = context.slice(0, context.indexOf('context/'));
    expect((await api.call('DELETE', '/v1/threads/archived')).status).toBe(204);
    await sweepNow(stack, { storage: false });
    const left = await readdir(stack.outputsFolder, { recursive: true });
    expect(left.filter((path) => path.startsWith(folder))).toEqual([]);
  });
});

describe('outputs in S3', () => {
  let server: S3Server;
  let remote: Stack;
  beforeAll(async () => {
    server = await startS3();
    remote = await startStack({
      env: {
        SPILLWAY_OUTPUTS: `s3://${server.bucket}/outputs`,
        SPILLWAY_S3_ENDPOINT: server.endpoint,
        AWS_REGION: server.region,
        AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
      },
    });
  });
  afterAll(async () => {
    await remote?.stop();
    await server?.stop();
  });

  test('are uploaded in parts, and read once the stub is posted', async () => {
    const there = apiOf(remote);
    await there.append('uploaded', { role: 'user', content: 'go' }, call('c1'));
    const { body } = await upload({ url: remote.url, key: remote.key, thread: 'uploaded' }, logOf(20));
    await there.append('uploaded', toolResult('c1', body.stub));
    const { id, lines, sha256 } = body.output;
    const whole = await there.call<string>('GET', `/v1/outputs/${id}/content`);
    expect(createHash('sha256').update(whole.body).digest('hex')).toBe(sha256);
    expect((await there.call('GET', `/v1/outputs/${id}/content?tail=1`)).body).toContain(
      ` request ${lines} `,
    );
  });

  test('are offloaded, read by lines, grepped and given back whole; without the store an append is refused', async () => {
    const there = apiOf(remote);
    const text = Array.from({ length: 9_000 }, (_, i) => `line ${i + 1}`).join('\n');
    const posted = await there.append(
      's3',
      { role: 'user', content: 'go' },
      call('c1'),
      toolResult('c1', text),
    );
    const { id } = posted.messages[2]!.output!;
    expect((await there.call('GET', `/v1/outputs/${id}/content?lines=800-801`)).body).toBe(
      'line 800\nline 801\n',
    );
    expect((await there.call('GET', `/v1/outputs/${id}/grep?pattern=%5Eline%208999%24`)).body).toMatchObject({
      matches: [{ line: 8_999 }],
    });
    expect((await there.originals('s3'))[2]).toMatchObject({ content: text });
    await server.stop();
    const refused = await there.call('POST', '/v1/threads/s3/messages', {
      messages: [call('c2'), toolResult('c2', text)],
    });
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect((await there.thread('s3')).last_seq).toBe(3);
  });
});

test('one line of megabytes is read by columns, searched and found', async () => {
  const json = JSON.stringify(
    Array.from({ length: 6_000 }, (_, i) => ({ name: `user${i}`, ü: 'x'.repeat(100) })),
  );
  const one = await offload('one-line', `first\n${json}\nlast`);
  const at = (query: string) => api.call<string>('GET', `/v1/outputs/${one}/content?${query}`);
  expect((await at('line=2&columns=500001-500100')).body).toBe(
    `${[...json].slice(500_000, 500_100).join('')}\n`,
  );
  expect((await at('line=2&columns=500001-500100')).headers.get('spillway-next')).toBe(
    'line=2&columns=500101-500200',
  );
  let query = 'lines=1-3';
  let text = '';
  while (query !== '') {
    const part = await at(`${query}&max_tokens=20000`);
    expect(part.body.length).toBeLessThan(20_000 * 8);
    query = part.headers.get('spillway-next')?.replace('&max_tokens=20000', '') ?? '';
    text += query.includes('columns') ? part.body.slice(0, -1) : part.body;
  }
  expect(text).toBe(`first\n${json}\nlast\n`);
  // As the other searches: a page ends when it has taken its time.
  const found = await everyPage<{ matches: { line: number; column: number }[]; next_cursor: string | null }>(
    api,
    `/v1/outputs/${one}/grep?pattern=user5500`,
  );
  expect(found.flatMap(({ matches }) => matches)).toMatchObject([
    { line: 2, column: [...json.slice(0, json.indexOf('user5500'))].length + 1 },
  ]);
  const hits = await search('one-line', 'user5500');
  expect(hits.data.map((hit) => hit.output?.id)).toContain(one);
  expect(hits.data.find((hit) => hit.output)!.snippet).toContain('user5500');
  for (const bad of [
    'columns=1-2',
    'line=1&lines=1',
    'line=2&columns=9-8',
    'lines=1-2&columns=1-9',
    'line=0',
  ])
    expect((await at(bad)).status, bad).toBe(422);
});

test('an output that is not UTF-8 is read to its end, with U+FFFD for each byte', async () => {
  await api.append('not-utf-8', { role: 'user', content: 'Run it.' }, call('c1'));
  const { body } = await upload(
    { url: stack.url, key: stack.key, thread: 'not-utf-8' },
    Buffer.alloc(200_000, 0x80),
  );
  await api.append('not-utf-8', toolResult('c1', body.stub));
  const read = (query: string) =>
    api.call<string>('GET', `/v1/outputs/${body.output.id}/content?${query}&max_tokens=20000`);
  let query = 'lines=1-1';
  let text = '';
  while (query !== '') {
    const part = await read(query);
    text += part.body.trimEnd();
    query = part.headers.get('spillway-next')?.replace('&max_tokens=20000', '') ?? '';
  }
  expect({ length: text.length, others: text.replaceAll('\uFFFD', '') }).toEqual({
    length: 200_000,
    others: '',
  });
});

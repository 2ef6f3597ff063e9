import { readFile } from 'node:fs/promises';
import { apiOf, loadSamples, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireOutput } from '../expire-output.js';
import { toolCall, toolRun } from '../tool-calls.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ memory: 'production' });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

/** What calls to a model took belongs to an attempt, and slots to the policy of now: neither is part of the thread. */
const notExported = [
  'input_tokens',
  'output_tokens',
  'cached_input_tokens',
  'cost_usd',
  'prompt_version',
  'slots',
];
const asExported = (of: object) =>
  Object.fromEntries(Object.entries(of).filter(([key]) => !notExported.includes(key)));

type Line = { type: string; [key: string]: unknown };

const exportOf = async (id: string, format = 'jsonl') => {
  const answer = await api.call<string>(
    'GET',
    `/v1/threads/${encodeURIComponent(id)}/export?format=${format}`,
  );
  expect(answer.status).toBe(200);
  return answer;
};
const linesOf = async (id: string): Promise<Line[]> => {
  const { body } = await exportOf(id);
  expect(body.endsWith('\n')).toBe(true);
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
};

async function post(id: string, messages: object[], window = 16_000): Promise<void> {
  await api.createThread({ id, policy: { context: { context_window: window } } });
  for (let i = 0; i < messages.length; i += 50) await api.append(id, ...messages.slice(i, i + 50));
}

const threads = loadSamples();

describe('an export holds exactly what was posted, then every summary and standing instruction', () => {
  test.each(threads.map((thread) => [thread.name, thread] as const))(
    '%s',
    async (id, { messages }) => {
      await post(id, messages);
      await until('it is compacted', async () => {
        const { compaction } = await api.thread(id);
        return compaction.state === 'idle' || compaction.state === 'parked';
      });
      const lines = await linesOf(id);
      expect(lines[0]).toMatchObject({ type: 'thread', id, last_seq: messages.length });
      const exported = lines.filter((line) => line.type === 'message');
      expect(exported.map((line) => line.seq)).toEqual(messages.map((_, i) => i + 1));
      expect(exported.map((line) => line.message)).toEqual(messages);
      const summaries = await api.summaries(id);
      const path = `/v1/threads/${id}/instructions?limit=1000`;
      const instructions = (await api.call<{ data: object[] }>('GET', path)).body.data.reverse();
      expect(lines.slice(1 + messages.length)).toEqual([
        ...summaries.map((of) => ({ type: 'summary', ...asExported(of) })),
        ...instructions.map((of) => ({ type: 'instruction', ...of })),
      ]);
    },
    300_000,
  );
});

test('its name is safe, its content is never a page', async () => {
  const id = '..:weird@id-.';
  await post(id, [{ role: 'user', content: '<script>alert(1)</script>' }]);
  for (const [format, extension] of [
    ['jsonl', 'jsonl'],
    ['markdown', 'md'],
  ]) {
    const { headers } = await exportOf(id, format);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="thread--weird-id--.${extension}"`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  }
});

test('an output that expired says so and gives its stub', async () => {
  const { messages } = await api.append(
    'expired',
    { role: 'user', content: 'go' },
    ...toolRun('c1', 'line of output\n'.repeat(4_000)),
  );
  await expireOutput(stack, messages[2]!.output!.id);
  const message = (await linesOf('expired'))[3]!;
  expect(message).toMatchObject({ type: 'message', output: { state: 'expired' } });
  expect((message.message as { content: string }).content).toContain('out_');
  const { body } = await exportOf('expired', 'markdown');
  expect(body).toMatch(/is expired: what follows is the stub/);
});

test('nothing that was said can end the fence it stands in', async () => {
  const escape = 'before\n```\n# not a heading\n`````\n<img src=x onerror=alert(1)>\n~~~~\n';
  await post('fences', [{ role: 'user', content: escape }, toolCall('a`b\n# c', 'x``\n## y', { a: '```' })]);
  const { body } = await exportOf('fences', 'markdown');
  const outside: string[] = [];
  let fence: string | null = null;
  for (const line of body.split('\n')) {
    const run = /^ {0,3}(`{3,})/.exec(line)?.[1];
    if (fence === null && run) fence = run;
    else if (fence !== null && run && run.length >= fence.length && line.trim() === run) fence = null;
    else if (fence === null) outside.push(line);
  }
  expect(fence).toBe(null);
  expect(outside.filter((line) => line.startsWith('#'))).toEqual([
    expect.stringMatching(/^# Thread/),
    expect.stringMatching(/^## 1 · user/),
    expect.stringMatching(/^## 2 · assistant/),
  ]);
  expect(outside.join('\n')).not.toContain('<img');
});

test(
  'a long thread costs no memory: 300 MB more raise the peak of an export by less than a third of that',
  { tags: 'long' },
  async () => {
    const text = 'word '.repeat(20_000);
    await api.append('long', ...Array.from({ length: 10 }, () => ({ role: 'user', content: text })));
    const small = await peakOfExport(1_000);
    const large = await peakOfExport(4_000);
    expect(small.bytes).toBeGreaterThan(100_000_000);
    expect(large.bytes).toBeGreaterThan(400_000_000);
    const [before, first, then] = [small.before, small.peak, large.peak].map((mb) => mb.toFixed(0));
    console.log(`the API: ${before} MB, up to ${first} MB, then up to ${then} MB`);
    expect(large.peak - small.peak).toBeLessThan(100);
    expect(large.peak - small.before).toBeLessThan(200);
  },
);

/** Lengthens the thread to a number of messages, exports it, and returns the highest memory of the API in MB. */
async function peakOfExport(messages: number): Promise<{ bytes: number; before: number; peak: number }> {
  // Only the rows matter here, so they are copies of the first ten.
  await rowsOf(
    stack.databaseUrl,
    `WITH of AS (SELECT project_id, uid, next_seq FROM threads WHERE id = 'long'), copied AS (
       INSERT INTO messages (project_id, thread_uid, seq, role, pinned, tokens, full_tokens, body, hash)
       SELECT m.project_id, m.thread_uid, m.seq + 10 * n, role, pinned, tokens, full_tokens, body, hash
       FROM of JOIN messages m ON m.project_id = of.project_id AND m.thread_uid = of.uid AND m.seq <= 10,
         generate_series((of.next_seq - 1) / 10, $1::int / 10 - 1) n)
     UPDATE threads SET next_seq = $1::int + 1 WHERE id = 'long'`,
    [messages],
  );
  const memory = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${stack.api.pid}/status`, 'utf8'))![1]) / 1024;
  const before = await memory();
  const answer = await fetch(`${stack.url}/v1/threads/long/export`, {
    headers: { authorization: `Bearer ${stack.key}` },
  });
  let bytes = 0;
  let peak = before;
  // Waits a moment at first: what a slow reader does not take must not pile up in the process.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    peak = Math.max(peak, await memory());
  }
  return { bytes, before, peak };
}

test('a thread that is not there is a problem and no file', async () => {
  const answer = await api.call<{ code: string }>('GET', '/v1/threads/nowhere/export');
  expect(answer).toMatchObject({ status: 404, body: { code: 'thread_not_found' } });
  expect(answer.headers.get('content-disposition')).toBe(null);
});

test('the map of a thread adds up to its messages and names its largest', async () => {
  const id = 'mapped';
  const messages = Array.from({ length: 95 }, (_, i) => ({
    role: 'user',
    content: 'word '.repeat(i === 40 ? 500 : 3),
  }));
  await post(id, messages);
  const { body } = await api.call<{
    buckets: { from_seq: number; to_seq: number; tokens: number; largest: { seq: number; tokens: number } }[];
  }>('GET', `/v1/threads/${id}/map?buckets=10`);
  const listed = await api.call<{ data: { seq: number; tokens: number }[] }>(
    'GET',
    `/v1/threads/${id}/messages`,
  );
  const total = listed.body.data.reduce((sum, message) => sum + message.tokens, 0);
  expect(body.buckets.reduce((sum, bucket) => sum + bucket.tokens, 0)).toBe(total);
  expect(body.buckets).toHaveLength(10);
  expect(body.buckets.at(-1)!.to_seq).toBe(95);
  expect(body.buckets.map((bucket) => bucket.largest).sort((a, b) => b.tokens - a.tokens)[0]!.seq).toBe(41);
});

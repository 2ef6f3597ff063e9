// @module-tag long
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { policyInput } from '@spillway/contracts';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { loadCounter, previewOf, slicesForCounting } from '@spillway/engine';
import {
  appendMessages,
  asProject,
  factsOnThread,
  listMessages,
  openRuntime,
  previewOnThread,
  readEnv,
  sweepOutputs,
} from '@spillway/service';
import { freshDatabase, rowsOf } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { threadMs, threadMsOf } from '../thread-time.js';
import { toolCall, toolResult } from '../tool-calls.js';

let url: string;
let folder: TemporaryFolder;
let rt: ReturnType<typeof openRuntime>;
const projectId = randomUUID();
const inProject = <T>(work: () => Promise<T>): Promise<T> => asProject(projectId, 'test', work);

beforeAll(async () => {
  [url, folder] = await Promise.all([freshDatabase(), temporaryFolder()]);
  const env = {
    DATABASE_URL: url,
    SPILLWAY_OUTPUTS: pathToFileURL(folder.path).href,
    SPILLWAY_GRACE_MS: '1',
    LOG_LEVEL: 'silent',
  };
  rt = openRuntime(readEnv(env, policyInput), 'test');
  await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [projectId, 'large']);
});
afterAll(async () => {
  await rt?.close();
  await folder?.remove();
});

/** Posts a result, and returns its message as posted. */
async function post(threadId: string, content: unknown) {
  const bodies = [toolCall('c', 'bash'), toolResult('c', content)];
  const messages = bodies.map((body) => ({ clientId: null, pinned: false, format: 'openai' as const, body }));
  await inProject(() => appendMessages(rt, { projectId, threadId, messages }));
  return bodies[1];
}
const original = async (threadId: string) =>
  (await inProject(() => listMessages(rt, { projectId, threadId }))).data[1]!.body;

const size = 7_900_000;
const lines = (line: (i: number) => string) => {
  const all = Array.from({ length: 200 }, (_, i) => line(i)).join('\n');
  return Array.from({ length: Math.ceil(size / all.length) }, () => all)
    .join('\n')
    .slice(0, size);
};
const samples: Record<string, string> = {
  log: lines((i) => `2026-01-01T00:00:00.000Z INFO step ${i} compiled module ${i * 7} in ${i % 90} ms`),
  'JSON in one line': `[${lines((i) => JSON.stringify({ id: i, name: `user${i}`, note: 'x'.repeat(40) }))
    .split('\n')
    .slice(0, -1)
    .join(',')}]`,
  table: lines((i) => `${i},user${i},${i * 3}.50,2026-01-0${(i % 9) + 1},city ${i % 40}`),
  HTML: `<!doctype html><html><body>${lines((i) => `<h2>Part ${i}</h2><p>Some words about ${i}.</p>`)}</body></html>`,
};

describe('a result of 8 MiB', () => {
  test.each(Object.keys(samples))('%s: the event loop is held for a small part of the work', async (name) => {
    const text = samples[name]!;
    const count = await loadCounter('o200k');
    count('warm');
    // The thread starts before the measurement does.
    await post(`warm ${name}`.replaceAll(' ', '-'), text.slice(0, 100_000));
    const work = threadMsOf(() => {
      for (const slice of slicesForCounting(text)) count(slice);
      previewOf(text, { tokens: 600, headLines: 5, tailLines: 5 }, count);
    });
    const before = threadMs();
    await post(name.replaceAll(' ', '-'), text);
    const own = threadMs() - before;
    expect(own).toBeLessThan(work / 4);
  });

  test('is stored although the thread that reads it fails: it is read here, and the log says why', async () => {
    const warnings: object[] = [];
    const log = { warn: (what: object) => warnings.push(what) } as unknown as typeof rt.log;
    const text = samples.log!;
    const { lines, sha256 } = await factsOnThread(text, log, 1);
    expect(lines).toBe(text.split('\n').length);
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(warnings).toHaveLength(1);
  });

  test('is read on a thread also behind two whose time is up, and its own time counts from where it begins', async () => {
    const warnings: object[] = [];
    const log = { warn: (what: object) => warnings.push(what) } as unknown as typeof rt.log;
    const text = samples.log!;
    const room = { tokens: 600, headLines: 5, tailLines: 5 };
    const task = { text, room, counter: { name: 'o200k' as const, charsPerToken: 4 }, lines: 1 };
    const count = await loadCounter('o200k');
    // Both threads are up, so that the two run and do not wait when their time is over.
    await Promise.all([factsOnThread(text, log), factsOnThread(text, log)]);
    const ended = Array.from({ length: 2 }, () => previewOnThread(task, count, log, 150));
    // Time enough for a busy machine. Those that nobody took up would spend it all.
    const behind = Array.from({ length: 4 }, () => factsOnThread(text, log, 60_000));
    await Promise.all(ended);
    expect(warnings).toHaveLength(2);
    const { lines } = await behind[0]!;
    expect(lines).toBe(text.split('\n').length);
    await Promise.all(behind);
    expect(warnings).toHaveLength(2);
  });

  test('waits for a thread only while few others of its project do: the log says that it is read here', async () => {
    const warnings: { err: Error }[] = [];
    const log = { warn: (what: { err: Error }) => warnings.push(what) } as unknown as typeof rt.log;
    const text = `${'a line\n'.repeat(10_000)}the last`;
    const all = await Promise.all(Array.from({ length: 70 }, () => factsOnThread(text, log)));
    expect(new Set(all.map(({ lines }) => lines))).toEqual(new Set([10_001]));
    expect(warnings.map(({ err }) => err.message)).toEqual(
      Array.from({ length: 4 }, () => 'Too many large texts of the project wait for a thread.'),
    );
  });

  test('is stored although its preview fails: its ends are shown, and the log says why', async () => {
    const warnings: object[] = [];
    const log = { warn: (what: object) => warnings.push(what) } as unknown as typeof rt.log;
    const text = samples.log!;
    const room = { tokens: 600, headLines: 5, tailLines: 5 };
    const counter = { name: 'o200k' as const, charsPerToken: 4 };
    const count = await loadCounter('o200k');
    const task = { text, room, counter, lines: text.split('\n').length };
    const preview = await previewOnThread(task, count, log, 1);
    expect(preview.text.split('\n')[0]).toBe(text.split('\n')[0]);
    expect(preview.text).toMatch(/--- [\d,]+ lines not shown ---/);
    expect(count(preview.text)).toBeLessThanOrEqual(600);
    expect(warnings).toHaveLength(1);
  });
});

describe('posted content that text alone cannot give back', () => {
  const parts = [
    { type: 'text', text: lines((i) => `line ${i}`).slice(0, 60_000) },
    { type: 'text', text: 'more' },
  ];
  const row = async (thread: string) =>
    (
      await rowsOf<{ id: string; original: string | null; key: string; bytes: number }>(
        url,
        `SELECT o.id, original, original_key AS key, original_bytes::int AS bytes FROM outputs o
          JOIN threads t ON t.uid = o.thread_uid WHERE t.id = $1`,
        [thread],
      )
    )[0]!;

  test('is a blob beside the text, and not in the database', async () => {
    const posted = await post('parts', parts);
    const { original: held, key, bytes } = await row('parts');
    expect(held).toBeNull();
    const json = await readFile(join(folder.path, key), 'utf8');
    expect([JSON.parse(json), Buffer.byteLength(json)]).toEqual([parts, bytes]);
    expect(await original('parts')).toEqual(posted);
  });

  test('is still given back from a row that was written before', async () => {
    const posted = await post('older', parts);
    const { id } = await row('older');
    await rowsOf(url, `UPDATE outputs SET original = $2, original_key = NULL WHERE id = $1`, [
      id,
      JSON.stringify(parts),
    ]);
    expect(await original('older')).toEqual(posted);
  });

  test('is never given back wrong, and goes with the output', async () => {
    await post('damaged', parts);
    const { id, key } = await row('damaged');
    const path = join(folder.path, key);
    await writeFile(path, (await readFile(path, 'utf8')).replace('line 7', 'line 8'));
    expect(JSON.stringify(await original('damaged'))).toContain(id);
    await rowsOf(
      url,
      `UPDATE outputs SET state = 'ready', expires_at = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    for (let i = 0; i < 100 && existsSync(path); i++) {
      await sweepOutputs(rt);
      await wait(10);
    }
    expect(existsSync(path)).toBe(false);
  });
});

test('results with pictures are listed in pages of 16 MiB, and without their bytes where they are asked for marked', async () => {
  const threadId = 'pictures';
  const lines = Array.from({ length: 1_500 }, (_, i) => `line ${i}`).join('\n');
  const size = 1024 * 1024;
  const pictures = 20;
  for (let i = 0; i < pictures; i += 4) {
    const bodies = Array.from({ length: 4 }, (_, k) => {
      const data = Buffer.from(randomUUID().repeat(size / 32)).toString('base64');
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
      const id = `t${i + k}`;
      const use = { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] };
      const result = {
        type: 'tool_result',
        tool_use_id: id,
        content: [{ type: 'text', text: lines }, image],
      };
      return [use, { role: 'user', content: [result] }];
    }).flat();
    const messages = bodies.map((body) => ({
      clientId: null,
      pinned: false,
      format: 'anthropic' as const,
      body,
    }));
    await inProject(() => appendMessages(rt, { projectId, threadId, messages }));
  }
  const [output] = await rowsOf<{ bytes: number; original: number }>(
    url,
    `SELECT bytes::float8, original_bytes::float8 AS original FROM outputs WHERE thread_uid = (SELECT uid FROM threads WHERE id = $1)`,
    [threadId],
  );
  expect(output!.bytes).toBeLessThan(20_000);
  expect(output!.original).toBeGreaterThan(size);
  const textOf = ({ data }: Awaited<ReturnType<typeof listMessages>>) =>
    JSON.stringify(data.map(({ body }) => body));
  const page = await inProject(() => listMessages(rt, { projectId, threadId, limit: 1_000 }));
  expect(page.nextCursor).not.toBeNull();
  expect(textOf(page).length).toBeLessThan(17 * size);
  const marked = await inProject(() => listMessages(rt, { projectId, threadId, limit: 10, media: 'marked' }));
  expect(marked.data).toHaveLength(10);
  expect(textOf(marked).length).toBeLessThan(size / 4);
  expect(textOf(marked)).toContain('line 1499');
});

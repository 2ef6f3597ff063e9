import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { policyInput } from '@spillway/contracts';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import {
  appendMessages,
  asProject,
  createThread,
  openRuntime,
  readContext,
  readEnv,
  withMediaRoom,
  type IncomingMessage,
} from '@spillway/service';
import { freshDatabase, rowsOf } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: TemporaryFolder;
let rt: ReturnType<typeof openRuntime>;
const [many, one] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  const [url, made] = await Promise.all([freshDatabase(), temporaryFolder()]);
  folder = made;
  const env = {
    DATABASE_URL: url,
    SPILLWAY_OUTPUTS: pathToFileURL(folder.path).href,
    LOG_LEVEL: 'silent',
  };
  rt = openRuntime(readEnv(env, policyInput), 'test');
  for (const project of [many, one])
    await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [project, project]);
});
afterAll(async () => {
  await rt?.close();
  await folder?.remove();
});

/** A PDF of one page, which counts as few tokens whatever its size. */
const pdf = (bytes: number) =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj << /Type /Pages /Count 1 >> << /Type /Page >> endobj\n'),
    Buffer.alloc(bytes, 'A'),
  ]).toString('base64');

const append = (projectId: string, threadId: string, bytes: number) => {
  const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf(bytes)}` };
  const body = { role: 'user', content: [{ type: 'file', file }] };
  const messages = [{ clientId: null, pinned: false, format: 'openai' as const, body }];
  return asProject(projectId, 'test', () => appendMessages(rt, { projectId, threadId, messages }));
};

/** Reads a context, and has what its media take until `end` is called. */
function hold(projectId: string, threadId: string) {
  const read = Promise.withResolvers<string>();
  const ending = Promise.withResolvers<void>();
  const ended = asProject(projectId, 'test', () =>
    withMediaRoom(async () => {
      const { messages } = await readContext(rt, { projectId, threadId });
      read.resolve(JSON.stringify(messages));
      await ending.promise;
    }),
  );
  return {
    read: read.promise,
    end: () => {
      ending.resolve();
      return ended;
    },
  };
}

test('A125 a context full of files waits while two others are in memory, and one without files does not', async () => {
  const settings = { model: 'gpt-4o', system: null, tools: null, format: null, metadata: {}, policy: {} };
  await asProject(many, 'test', () => createThread(rt, many, 'files', settings));
  for (let i = 0; i < 4; i++) await append(many, 'files', 5_700_000);
  await append(one, 'small', 10);
  const held = [hold(many, 'files'), hold(many, 'files')];
  for (const { read } of held) expect(await read).toContain('base64');
  const next = hold(many, 'files');
  const small = hold(one, 'small');
  expect(await small.read).toContain('base64');
  expect(await Promise.race([next.read, wait(2_000, 'waits')])).toBe('waits');
  await held[0]!.end();
  expect(await next.read).toContain('base64');
  await Promise.all([held[1]!, next, small].map(({ end }) => end()));
});

test('A128 files of recorded messages are read for those that are posted again as they were, and for no others', async () => {
  let reads = 0;
  const counting: typeof rt = {
    ...rt,
    blobs: {
      ...rt.blobs,
      read: (...asked) => {
        reads++;
        return rt.blobs.read(...asked);
      },
    },
  };
  const message = (id: string) => {
    const file = {
      filename: 'a.pdf',
      file_data: `data:application/pdf;base64,${pdf(id === 'a' ? 9_000 : 9_300)}`,
    };
    const body = { role: 'user', content: [{ type: 'file', file }] };
    return { clientId: id, pinned: false, format: 'openai' as const, body };
  };
  const post = (...messages: IncomingMessage[]) =>
    asProject(one, 'test', () => appendMessages(counting, { projectId: one, threadId: 'again', messages }));
  await post(message('a'), message('b'));
  const other = {
    clientId: 'b',
    pinned: false,
    format: 'openai' as const,
    body: { role: 'user', content: 'x' },
  };
  await expect(post(message('a'), other)).rejects.toMatchObject({ code: 'message_conflict' });
  expect(reads).toBe(1);
  const { replayed, messages } = await post(message('a'), message('b'));
  expect(replayed).toBe(true);
  expect(messages.map(({ body }) => body)).toEqual([message('a').body, message('b').body]);
});

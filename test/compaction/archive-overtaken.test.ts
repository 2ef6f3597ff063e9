import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { policyInput } from '@spillway/contracts';
import { asProject, fairCompactor, openRuntime, readEnv, writeSummary } from '@spillway/service';
import { apiOf, rowsOf, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { turns } from '../folding-thread.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
});
afterAll(() => stack?.stop());

/** A worker in this process. */
function openWorker() {
  const env = {
    ...{
      DATABASE_URL: stack.databaseUrl,
      SPILLWAY_OUTPUTS: pathToFileURL(stack.outputsFolder).href,
      LOG_LEVEL: 'silent',
    },
    SPILLWAY_LLM_PROVIDER: 'extractive',
  };
  return openRuntime(readEnv(env, policyInput), 'worker');
}

/** Makes the first look at the files of an archive wait for its release. */
function holdArchive(rt: ReturnType<typeof openWorker>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: archiving, resolve: archives } = Promise.withResolvers<void>();
  const { blobs } = rt;
  const list: typeof blobs.list = async function* (prefix) {
    archives();
    await released;
    yield* blobs.list(prefix);
  };
  Object.assign(rt, { blobs: Object.assign(Object.create(blobs) as typeof blobs, { list }) });
  return { archiving, release };
}

/** Seqs in the archived files of all threads, sorted. */
async function archivedSeqs(): Promise<number[]> {
  const files = await readdir(stack.outputsFolder, { recursive: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => readFile(join(stack.outputsFolder, file), 'utf8')),
  );
  const seqs = texts.flatMap((text) =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { seq: number }).seq])),
  );
  return seqs.sort((a, b) => a - b);
}

const through = (seq: number) => Array.from({ length: seq }, (_, i) => i + 1);

test('a worker whose thread another one took and folded leaves each message in the archive once', async () => {
  const api = apiOf(stack);
  const threadId = 'overtaken';
  await api.createThread({
    id: threadId,
    policy: { preset: 'agentscope', context: { context_window: 8_000, trigger_ratio: 0.3 } },
  });
  await api.append(threadId, ...turns(20));
  const [project] = await rowsOf<{ id: string }>(stack.databaseUrl, 'SELECT id FROM projects');
  const hint = { projectId: project!.id, threadId };
  const [slow, quick] = [openWorker(), openWorker()];
  try {
    const { archiving, release } = holdArchive(slow);
    const overtaken = fairCompactor(slow);
    const first = overtaken.next(hint);
    await archiving;
    await rowsOf(stack.databaseUrl, `UPDATE threads SET lease_until = now() - interval '1 s'`);
    await api.append(threadId, ...turns(6, { from: 20 }));
    expect(await fairCompactor(quick).next(hint)).toMatchObject({ kind: 'done', facts: { generation: 1 } });
    release();
    expect(await first).toMatchObject({ kind: 'skipped', reason: 'lost_cas' });
  } finally {
    await Promise.all([slow.close(), quick.close()]);
  }
  const [summary] = await api.summaries(threadId);
  expect(await archivedSeqs()).toEqual(through(summary!.to_seq));
  expect((await api.call('DELETE', `/v1/threads/${threadId}`)).status).toBe(204);
});

test('a caller’s own summary is in place, though a message was pinned while the others were archived', async () => {
  const api = apiOf(stack);
  const id = 'own';
  await api.createThread({ id, policy: { context: { context_window: 8_000, archive: true } } });
  await api.append(id, ...turns(10));
  const [project] = await rowsOf<{ id: string }>(stack.databaseUrl, 'SELECT id FROM projects');
  const [key] = await rowsOf<{ id: string }>(stack.databaseUrl, 'SELECT id FROM api_keys');
  const rt = openWorker();
  try {
    const { archiving, release } = holdArchive(rt);
    const text = { task_overview: 'Sort.', current_state: 'Sorted.', important_discoveries: 'None.' };
    const fields = { ...text, next_steps: 'Go on.', context_to_preserve: 'Nothing.' };
    const of = { projectId: project!.id, threadId: id, fields, toSeq: 6, keyId: key!.id };
    const written = asProject(of.projectId, `key:${of.keyId}`, () => writeSummary(rt, of));
    await archiving;
    expect((await api.call('PATCH', `/v1/threads/${id}/messages/3`, { pinned: true })).status).toBe(200);
    release();
    expect(await written).toMatchObject({
      created: true,
      summary: { generation: 1, toSeq: 6, carried: [3] },
    });
  } finally {
    await rt.close();
  }
});

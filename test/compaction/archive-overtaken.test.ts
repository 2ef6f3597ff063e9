import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { policyInput } from '@spillway/contracts';
import { fairCompactor, openRuntime, readEnv } from '@spillway/service';
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
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: archiving, resolve: archives } = Promise.withResolvers<void>();
    const { blobs } = slow;
    const list: typeof blobs.list = async function* (prefix) {
      archives();
      await released;
      yield* blobs.list(prefix);
    };
    const overtaken = fairCompactor(
      Object.assign(slow, { blobs: Object.assign(Object.create(blobs) as typeof blobs, { list }) }),
    );
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
  const files = await readdir(stack.outputsFolder, { recursive: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.endsWith('.jsonl'))
      .map((file) => readFile(join(stack.outputsFolder, file), 'utf8')),
  );
  const seqs = texts.flatMap((text) =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { seq: number }).seq])),
  );
  expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: summary!.to_seq }, (_, i) => i + 1));
});

import { changeThread, serveContext } from '@spillway/service';
import { readThread } from '@spillway/store';
import { expect, test } from 'vitest';
import { processInMemory } from './process-in-memory.js';

const startProcess = () => processInMemory({ context_window: 1_000_000 });

test('threads are kept by what their prompts and messages take, not by their tokens', async () => {
  const { rt, projectId, statements, say } = startProcess();
  const serve = async (threadId: string): Promise<string[]> => {
    statements();
    await serveContext(rt, { projectId, threadId });
    return statements();
  };
  const ids = Array.from({ length: 30 }, (_, n) => `thread-${n}`);
  for (const id of ids) {
    await say(id);
    await changeThread(rt, projectId, id, { system: `${id} ${'You are a support agent. '.repeat(20_000)}` });
    await serve(id);
    expect(await serve(id)).toEqual(['is-still-served']);
  }
  expect(await serve(ids[0]!)).toContain('read-entries-with-bodies');
});

test('settings of threads are kept by the length of their policies', async () => {
  const { rt, projectId, say } = startProcess();
  const prompt = 'What the agent did, in the words of the user. '.repeat(430);
  const rowOf = async (id: string) => (await readThread(rt.store.query, projectId, id))!;
  await say('first');
  const first = await rt.settings.ofRow(await rowOf('first'));
  expect(await rt.settings.ofRow(await rowOf('first'))).toBe(first);
  for (let n = 0; n < 2_000; n++) {
    await say(`thread-${n}`);
    await changeThread(rt, projectId, `thread-${n}`, { policy: { summary: { prompt } } });
    await rt.settings.ofRow(await rowOf(`thread-${n}`));
  }
  expect(await rt.settings.ofRow(await rowOf('first'))).not.toBe(first);
});

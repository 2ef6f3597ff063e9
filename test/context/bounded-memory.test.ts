import { changeThread, serveContext } from '@spillway/service';
import { readThread } from '@spillway/store';
import { expect, test } from 'vitest';
import { processInMemory } from './process-in-memory.js';

const startProcess = () => processInMemory({ context_window: 1_000_000 });

test.each<[string, { system?: string; content?: string }, boolean]>([
  ['many threads are kept', {}, true],
  ['fewer with long prompts', { system: 'You are a support agent. '.repeat(20_000) }, false],
  ['fewer with long messages', { content: 'What the customer wrote. '.repeat(20_000) }, false],
])(
  'threads are kept by what their prompts and messages take, not by their tokens: %s',
  async (_, of, isKept) => {
    const { rt, projectId, statements, say } = startProcess();
    const serve = async (threadId: string): Promise<string[]> => {
      statements();
      await serveContext(rt, { projectId, threadId });
      return statements();
    };
    const ids = Array.from({ length: 30 }, (__, n) => `thread-${n}`);
    for (const id of ids) {
      await say(id, `${id} ${of.content ?? 'hello'}`);
      await changeThread(rt, projectId, id, { system: `${id} ${of.system ?? 'Be brief.'}` });
      await serve(id);
      expect(await serve(id)).toEqual(['is-still-served']);
    }
    const ran = await serve(ids[0]!);
    if (isKept) expect(ran).toEqual(['is-still-served']);
    else expect(ran).toContain('read-entries-with-bodies');
  },
);

test.each<[string, string, boolean]>([
  ['many short ones', 'Be brief.', true],
  ['fewer long ones', 'What the agent did, in the words of the user. '.repeat(430), false],
])('settings of threads are kept by the length of their policies: %s', async (_, prompt, isKept) => {
  const { rt, projectId, say } = startProcess();
  const rowOf = async (id: string) => (await readThread(rt.store.query, projectId, id))!;
  await say('first');
  const first = await rt.settings.ofRow(await rowOf('first'));
  expect(await rt.settings.ofRow(await rowOf('first'))).toBe(first);
  for (let n = 0; n < 2_000; n++) {
    await say(`thread-${n}`);
    await changeThread(rt, projectId, `thread-${n}`, { policy: { summary: { prompt } } });
    await rt.settings.ofRow(await rowOf(`thread-${n}`));
  }
  expect((await rt.settings.ofRow(await rowOf('first'))) === first).toBe(isKept);
});

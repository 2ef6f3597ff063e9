import { serveContext, type PostedUsage } from '@spillway/service';
import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processInMemory } from './process-in-memory.js';

let stack: Stack;
/** Two processes of the API. */
let [one, other]: Api[] = [];
beforeAll(async () => {
  stack = await startStack({ apis: 2 });
  [one, other] = stack.apis.map(({ url }) => apiOf({ url, key: stack.key })) as [Api, Api];
});
afterAll(() => stack?.stop());

const words = 'all work and no play makes a dull thread '.repeat(20);
const user = { role: 'user', content: words };
const assistant = { role: 'assistant', content: words };
const steps = Array.from({ length: 6 }, () => [user, assistant]).flat();
const ofThread = (id: string, rest: string) => `/v1/threads/${id}${rest}`;
const ok = async (api: Api, method: string, path: string, body?: object): Promise<void> => {
  const answer = await api.call(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
};
const fold = (api: Api, id: string) =>
  ok(api, 'POST', ofThread(id, '/compactions'), {
    policy: { context: { trigger_tokens: 400, reserve_ratio: 0, min_reclaim_ratio: 0 } },
    wait_ms: 30_000,
  });

interface Change {
  name: string;
  /** Runs before the context is read for the first time. */
  before?: (api: Api, id: string) => Promise<void>;
  change: (api: Api, id: string) => Promise<void>;
}

const changes: Change[] = [
  { name: 'an append', change: async (api, id) => void (await api.append(id, user)) },
  { name: 'an erased message', change: (api, id) => ok(api, 'DELETE', ofThread(id, '/messages/3')) },
  { name: 'a rewind', change: (api, id) => ok(api, 'POST', ofThread(id, '/rewind'), { to_seq: 6 }) },
  { name: 'a fold', change: fold },
  {
    name: 'an undone fold',
    before: fold,
    change: (api, id) => ok(api, 'DELETE', ofThread(id, '/summaries/1')),
  },
  {
    name: 'a system prompt',
    change: (api, id) => ok(api, 'PATCH', ofThread(id, ''), { system: 'Be brief.' }),
  },
  {
    name: 'a policy of the thread',
    change: (api, id) =>
      ok(api, 'PATCH', ofThread(id, ''), { policy: { context: { context_window: 12_000 } } }),
  },
  {
    name: 'a policy of the project',
    change: (api) => ok(api, 'PUT', '/v1/policy', { context: { context_window: 14_000 } }),
  },
  {
    name: 'measured usage',
    change: async (api, id) => {
      const { tokens } = await api.context(id);
      await ok(api, 'POST', ofThread(id, '/messages'), {
        messages: [assistant],
        usage: { prompt_tokens: Math.round(tokens.total * 1.4), completion_tokens: 5 },
      });
    },
  },
];

test.each(changes)(
  '$name that one process acknowledged is in the next context of another, which kept the one before',
  async ({ before, change }) => {
    const id = randomUUID();
    await one!.append(id, ...steps);
    await before?.(one!, id);
    const first = await one!.context(id);
    // It is kept now, and answered from there.
    expect(await one!.context(id)).toEqual(first);
    await change(other!, id);
    const next = await one!.context(id);
    expect(next.fingerprint).not.toBe(first.fingerprint);
    expect(next).toEqual(await other!.context(id));
  },
);

test.each(changes)(
  '$name of another process is in the next context of one that appends to the thread it kept, before it or after',
  async ({ before, change }) => {
    for (const isAfter of [false, true]) {
      const id = randomUUID();
      await one!.append(id, ...steps);
      await before?.(one!, id);
      const first = await one!.context(id);
      if (isAfter) await one!.append(id, user);
      await change(other!, id);
      if (!isAfter) await one!.append(id, user);
      const next = await one!.context(id);
      expect(next.fingerprint).not.toBe(first.fingerprint);
      expect(next).toEqual(await other!.context(id));
    }
  },
);

test('a thread that one process appends to and reads has the contexts that another reads from the rows', async () => {
  const id = randomUUID();
  await ok(one!, 'PUT', ofThread(id, ''), {
    system: 'Be brief.',
    policy: { context: { context_window: 6_000 } },
  });
  const call = { id: 'call', type: 'function', function: { name: 'sh', arguments: '{}' } };
  const turns: object[][] = [
    [{ role: 'system', content: 'Speak plainly.' }, user],
    [{ ...assistant, tool_calls: [call] }],
    [{ role: 'tool', tool_call_id: 'call', content: 'line\n'.repeat(4_000) }, assistant],
    [
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(6_000)}` } }],
      },
    ],
    [{ ...user, pinned: true }, assistant],
    ...Array.from({ length: 12 }, () => [user, assistant]),
  ];
  for (const [n, turn] of turns.entries()) {
    const { tokens } = await one!.context(id);
    const usage = { prompt_tokens: Math.round(tokens.total * 1.3), completion_tokens: 5 };
    await ok(one!, 'POST', ofThread(id, '/messages'), { messages: turn, ...(n % 2 ? { usage } : {}) });
    for (const rest of ['', '?format=anthropic', '?max_tokens=3000']) {
      const [mine, theirs] = await Promise.all(
        [one!, other!].map(async (api) => (await api.call('GET', ofThread(id, `/context${rest}`))).body),
      );
      // Where a fold takes effect between the two, the next turn compares them again.
      const generations = [mine, theirs].map((body) => (body as { summary: object | null }).summary);
      if (JSON.stringify(generations[0]) === JSON.stringify(generations[1]))
        expect(mine, `turn ${n}${rest}`).toEqual(theirs);
    }
  }
});

test('an erased thread has no context any more, although a process kept it', async () => {
  const id = randomUUID();
  await one!.append(id, ...steps);
  await one!.context(id);
  await one!.context(id);
  await ok(other!, 'DELETE', ofThread(id, ''));
  expect((await one!.call('GET', ofThread(id, '/context'))).status).toBe(404);
});

test('another project with a thread of the same name gets its own context', async () => {
  const id = randomUUID();
  const stranger = apiOf({ url: stack.apis[0]!.url, key: await stack.addProject(randomUUID()) });
  await one!.append(id, user);
  await stranger.append(id, { role: 'user', content: 'mine' });
  for (let i = 0; i < 2; i++) {
    expect((await one!.context(id)).messages).toEqual([user]);
    expect((await stranger.context(id)).messages).toEqual([{ role: 'user', content: 'mine' }]);
  }
});

test('at=N shows the context that was served last, also when one that was kept came after another', async () => {
  const id = randomUUID();
  await one!.append(id, ...steps);
  const read = async (rest: string) =>
    (await one!.call<{ fingerprint: string }>('GET', ofThread(id, rest))).body;
  await read('/context');
  await read('/context?format=anthropic');
  const last = await read('/context');
  const shown = await read(`/context?at=${steps.length}`);
  expect(shown).toMatchObject({ fingerprint: last.fingerprint, format: 'openai', served: { exact: true } });
});

test('a context takes one statement: without a write when nothing changed, and after an append of this process', async () => {
  const process = processInMemory({ context_window: 4_000, response_reserve: 300 });
  const of = { projectId: process.projectId, threadId: 'kept' };
  const say = (usage: PostedUsage | null = null) => process.say('kept', 'hello '.repeat(250), usage);
  let statements: string[] = [];
  const serve = async (asked: object = {}) => {
    process.statements();
    const context = await serveContext(process.rt, { ...of, ...asked });
    statements = process.statements();
    return context;
  };
  await say();
  const first = await serve();
  expect(statements).toEqual(['read-thread-with-summary', 'read-entries-with-bodies', 'record-served']);
  expect(await serve()).toBe(first);
  expect(statements).toEqual(['is-still-served']);
  await say();
  const next = await serve();
  expect(next.messages).toHaveLength(2);
  expect(statements).toEqual(['record-served']);
  expect(await serve()).toBe(next);
  expect(statements).toEqual(['is-still-served']);
  // Another budget, prompt or format is built from the same messages.
  expect((await serve({ maxTokens: 2_000 })).budget.limit).toBe(2_000);
  expect(statements).toEqual(['record-served']);
  expect((await serve({ system: 'Be brief.', format: 'anthropic' })).system).toBe('Be brief.');
  expect(statements).toEqual(['record-served']);
  // Another process changed the row: the record says so, and the thread is read again.
  const row = process.tables.find(process.projectId, 'kept')!.row;
  const readAgain = ['read-thread-with-summary', 'read-entries-with-bodies', 'record-served'];
  row.contentVersion++;
  expect((await serve()).messages).toHaveLength(2);
  // No context shows the other prompt any more.
  const forgotten = ['lock-records-of-thread', 'delete-unused-prompt', 'COMMIT'];
  expect(statements).toEqual(['record-served', ...readAgain, ...forgotten]);
  // Usage that this process stored changes the row, and no message.
  const { tokens } = await serve();
  const measured = { usage: { prompt_tokens: Math.round(tokens.total * 1.4), completion_tokens: 5 } };
  const { usage } = await say({ ...measured, fingerprint: null });
  expect(usage).toEqual({ applied: true });
  expect((await serve()).messages).toHaveLength(3);
  expect(statements).toEqual(['record-served']);
  // The record tells of a change that comes before an append, too.
  row.contentVersion++;
  await say();
  expect((await serve()).messages).toHaveLength(4);
  expect(statements).toEqual(readAgain);
  row.policyVersion++;
  await say();
  expect((await serve()).messages).toHaveLength(5);
  expect(statements).toEqual(readAgain);
});

import { NotFoundError, Spillway } from '@spillway/client';
import { AgentThreads, type AgentOptions } from '@spillway/client/agent';
import { apiOf } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});

const agentOf = (id: string, more: Partial<AgentOptions> = {}) =>
  new AgentThreads('openai', { baseUrl: stack.url, key: stack.key, waitMs: 0, ...more }).thread(id);

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }],
};
const result = (content: string) => ({ role: 'tool', tool_call_id: 'c', content });

test('a history of more bytes than a request may have is handed over whole', async () => {
  const words = 'word '.repeat(100_000);
  const history = Array.from({ length: 20 }, (_, i) => (i % 2 ? assistant : user)(`${i} ${words}`));
  const context = await agentOf('handed-over').context({ history: [...history, user('And now?')] });
  expect(context!.messages.at(-1)).toEqual(user('And now?'));
  expect((await apiOf(stack).thread('handed-over')).last_seq).toBe(21);
});

test('a message that was refused is sent as the caller has it later', async () => {
  const agent = agentOf('mended');
  const tooLarge = result('line\n'.repeat(1_800_000));
  await expect(agent.context({ history: [user('Run it.'), call, tooLarge] })).rejects.toMatchObject({
    code: 'body_too_large',
    message: expect.stringContaining('Upload a larger output to POST /v1/threads/{id}/outputs') as string,
  });
  const history = [user('Run it.'), call, result('line\n...')];
  expect((await agent.context({ history }))!.messages).toEqual(history);
});

test('a first message that was refused is not sent again beside the one in its place', async () => {
  const agent = agentOf('first-refused');
  const foreign = user([{ type: 'input_text', text: 'Hello' }]);
  await expect(agent.context({ history: [foreign] })).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await agent.context({ history: [user('Good day')] }))!.messages).toEqual([user('Good day')]);
});

test('each of two processes with other system prompts gets its own', async () => {
  const [planner, writer] = [agentOf('two-prompts'), agentOf('two-prompts')];
  const history: object[] = [user('Plan it.')];
  const next = async (agent: typeof planner, system: string) => {
    const context = await agent.context({ history, system });
    history.push(assistant(`Done as ${system}`), user(`Next, after ${history.length}.`));
    return context!.system;
  };
  expect(await next(planner, 'You plan.')).toBe('You plan.');
  expect(await next(writer, 'You write.')).toBe('You write.');
  expect(await next(planner, 'You plan.')).toBe('You plan.');
  expect(await next(writer, 'You write.')).toBe('You write.');
});

test('a model call does not wait as long as a proxy asks to', async () => {
  const lines: string[] = [];
  const busy = () => Promise.resolve(new Response('busy', { status: 503, headers: { 'retry-after': '60' } }));
  const agent = agentOf('busy', { fetch: busy, log: (line) => lines.push(line) });
  expect(await agent.context({ history: [user('Hello')] })).toBeNull();
  expect(lines).toHaveLength(1);
}, 10_000);

test('an erasure whose answer was lost is one, and another is refused', async () => {
  let isLost = false;
  const losing = async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init);
    if (init.method !== 'DELETE' || isLost) return answer;
    isLost = true;
    throw new TypeError('The connection was reset.');
  };
  const thread = new Spillway({ baseUrl: stack.url, key: stack.key, fetch: losing }).thread('erased-once');
  await thread.append(user('x'));
  await thread.erase();
  await expect(thread.erase()).rejects.toBeInstanceOf(NotFoundError);
});

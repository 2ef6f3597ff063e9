import { NotFoundError, Spillway, type Format, type Schemas } from '@spillway/client';
import { AgentThreads, type AgentOptions, type AgentThread } from '@spillway/client/agent';
import { apiOf, rowsOf, sweepNow } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { toolCall, toolResult } from '../tool-calls.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});

/** Results of ten megabytes take longer on a busy machine than an agent should wait. */
const options = (): AgentOptions => ({ baseUrl: stack.url, key: stack.key, waitMs: 0, timeoutMs: 60_000 });
const agentOf = (id: string, more: Partial<AgentOptions> = {}) =>
  new AgentThreads('openai', { ...options(), ...more }).thread(id);

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const call = toolCall('c');
const result = (content: string) => toolResult('c', content);

test('a history of more bytes than a request may have is handed over whole', { tags: 'long' }, async () => {
  const words = 'word '.repeat(100_000);
  const history = Array.from({ length: 20 }, (_, i) => (i % 2 ? assistant : user)(`${i} ${words}`));
  const context = await agentOf('handed-over').context({ history: [...history, user('And now?')] });
  expect(context!.messages.at(-1)).toEqual(user('And now?'));
  expect((await apiOf(stack).thread('handed-over')).last_seq).toBe(21);
});

test(
  'a history of more messages than an agent remembers is recorded once, and goes on',
  { tags: 'long' },
  async () => {
    const agent = agentOf('long-history');
    const history = Array.from({ length: 11_500 }, (_, i) => (i % 2 ? assistant : user)(`message ${i}`));
    await agent.record({ history });
    await agent.record({ history: [...history, user('And now?')] });
    expect((await apiOf(stack).thread('long-history')).last_seq).toBe(11_501);
  },
);

test('a message that was refused is sent as the caller has it later', async () => {
  const agent = agentOf('mended');
  const tooLarge = user('line\n'.repeat(1_800_000));
  await expect(agent.context({ history: [tooLarge] })).rejects.toMatchObject({ code: 'body_too_large' });
  const history = [user('line\n...')];
  expect((await agent.context({ history }))!.messages).toEqual(history);
});

describe('a result that no request may have', { tags: 'long' }, () => {
  const text = Array.from({ length: 900_000 }, (_, i) => `line ${i}`).join('\n');
  const aiCall = { type: 'tool-call', toolCallId: 'c', toolName: 'sh', input: {} };
  const formats: [Format, object, object][] = [
    ['openai', call, result(text)],
    [
      'responses',
      { type: 'function_call', call_id: 'c', name: 'sh', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: text },
    ],
    [
      'anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'sh', input: {} }] },
      user([{ type: 'tool_result', tool_use_id: 'c', content: text }]),
    ],
    [
      'ai-sdk',
      { role: 'assistant', content: [aiCall] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', toolName: 'sh', output: { type: 'text', value: text } },
        ],
      },
    ],
  ];

  /** The output that the body of a request names. */
  const outputIn = ({ body }: RequestInit): string | undefined =>
    typeof body === 'string' ? /out_[0-9a-f]{32}/.exec(body)?.[0] : undefined;

  test.each(formats)('is uploaded, and read back in the format %s', async (format, asked, answered) => {
    const { url: baseUrl, key } = stack;
    const threads = new AgentThreads(format, options());
    const history = [user('Run it.'), asked, answered];
    const context = await threads.thread(`huge-${format}`).context({ history });
    const id = /out_[0-9a-f]{32}/.exec(JSON.stringify(context!.messages.at(-1)))![0];
    const whole = await new Spillway({ baseUrl, key }).outputs.content(id);
    expect((await new Response(whole).text()) === text).toBe(true);
    // The caller keeps the result whole, and it is known all the same.
    const next = [...history, user('And now?')];
    await threads.thread(`huge-${format}`).context({ history: next });
    await new AgentThreads(format, options()).thread(`huge-${format}`).context({ history: next });
    expect((await apiOf(stack).thread(`huge-${format}`)).last_seq).toBe(4);
  });

  test('is recorded once when the answer of its append is lost', async () => {
    let isLost = false;
    const losing = async (url: string, init: RequestInit) => {
      const answer = await fetch(url, init);
      if (isLost || outputIn(init) === undefined) return answer;
      isLost = true;
      throw new TypeError('The connection was reset.');
    };
    const agent = agentOf('huge-lost', { fetch: losing, maxRetries: 0, pauseMs: 0, log: () => undefined });
    const history = [user('Run it.'), call, result(text)];
    expect(await agent.context({ history })).toBeNull();
    expect(isLost).toBe(true);
    expect((await agent.context({ history }))!.messages).toHaveLength(3);
    expect(await apiOf(stack).thread('huge-lost')).toMatchObject({ last_seq: 3 });
    const { body } = await apiOf(stack).call<Schemas['OutputList']>('GET', '/v1/threads/huge-lost/outputs');
    expect(body.data).toHaveLength(1);
  });

  test('is uploaded again when its upload expired before it was recorded', async () => {
    const expired: string[] = [];
    const late = async (url: string, init: RequestInit) => {
      const id = outputIn(init);
      if (id !== undefined && expired.length === 0) {
        expired.push(id);
        const anHourAgo = `UPDATE outputs SET created_at = now() - interval '61 minutes' WHERE id = $1`;
        await rowsOf(stack.databaseUrl, anHourAgo, [id]);
        // Without that of storage, which would take bytes that other files are writing.
        await sweepNow(stack, { storage: false });
      }
      return fetch(url, init);
    };
    const agent = agentOf('huge-expired', { fetch: late });
    const context = await agent.context({ history: [user('Run it.'), call, result(text)] });
    const [id] = /out_[0-9a-f]{32}/.exec(JSON.stringify(context!.messages.at(-1)))!;
    expect(expired).toHaveLength(1);
    expect(expired).not.toContain(id);
    expect(await apiOf(stack).thread('huge-expired')).toMatchObject({ last_seq: 3 });
  });
});

test('a first message that was refused is not sent again beside the one in its place', async () => {
  const agent = agentOf('first-refused');
  const foreign = user([{ type: 'input_text', text: 'Hello' }]);
  await expect(agent.context({ history: [foreign] })).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await agent.context({ history: [user('Good day')] }))!.messages).toEqual([user('Good day')]);
});

test.each([
  ['in the next call', (agent: AgentThread, history: object[]) => agent.context({ history })],
  [
    'before it',
    async (agent: AgentThread, history: object[]) => {
      await agent.takeBack(1);
      return agent.context({ history });
    },
  ],
])('a message whose receipt was lost is rewound when the caller takes it back %s', async (when, next) => {
  const id = `doubtful-${when.replaceAll(' ', '-')}`;
  let loses = false;
  const losing = async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init);
    if (!loses || init.method !== 'POST') return answer;
    loses = false;
    throw new TypeError('The connection was reset.');
  };
  const agent = agentOf(id, { fetch: losing, maxRetries: 0, pauseMs: 0, log: () => undefined });
  const history = [user('Plan it.'), assistant('Planned.')];
  await agent.context({ history });
  loses = true;
  expect(await agent.context({ history: [...history, user('Delete it.')] })).toBeNull();
  expect((await apiOf(stack).thread(id)).last_seq).toBe(3);
  const another = [...history, user('Keep it.')];
  expect((await next(agent, another))!.messages).toEqual(another);
});

test('messages that are taken back during an outage are rewound after it, also where none before them is known', async () => {
  const history = Array.from({ length: 120 }, (_, i) => (i % 2 ? assistant : user)(`Message ${i}.`));
  await agentOf('taken-back').record({ history });
  let isDown = false;
  const reach = (url: string, init: RequestInit) =>
    isDown ? Promise.reject(new TypeError('The connection was refused.')) : fetch(url, init);
  const agent = agentOf('taken-back', { fetch: reach, maxRetries: 0, pauseMs: 0, log: () => undefined });
  // A process that comes later knows the newest hundred.
  expect(await agent.sync()).toBe(120);
  await expect(agent.takeBack(101)).rejects.toThrow('Only 100 of these messages are known.');
  isDown = true;
  await agent.takeBack(100);
  isDown = false;
  await agent.sync();
  expect(await agent.read()).toEqual(history.slice(0, 20));
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

test('usage of a model call that went without Spillway says nothing of a context', async () => {
  const appends: { usage?: unknown }[] = [];
  let isDown = false;
  const reach = (url: string, init: RequestInit) => {
    if (isDown) return Promise.reject(new TypeError('The connection was refused.'));
    if (init.method === 'POST' && new URL(url).pathname.endsWith('/messages'))
      appends.push(JSON.parse(init.body as string) as { usage?: unknown });
    return fetch(url, init);
  };
  const agent = agentOf('bypassed', { fetch: reach, maxRetries: 0, pauseMs: 0, log: () => undefined });
  const history: object[] = [user('Plan it.')];
  const turn = async (content: string, usage: unknown) => {
    const context = await agent.context({ history });
    history.push(assistant(`Answer to ${history.length}.`));
    isDown = false;
    await agent.record({ history, usage });
    history.push(user(content));
    return context;
  };
  const usage = (tokens: number) => ({ prompt_tokens: tokens, completion_tokens: 1 });
  await turn('Go on.', usage(20));
  isDown = true;
  // The provider counted the caller's own messages.
  expect(await turn('And then?', usage(70_000))).toBeNull();
  expect(await turn('Done?', usage(60))).not.toBeNull();
  expect(appends.map((append) => append.usage)).toEqual([
    undefined,
    usage(20),
    undefined,
    undefined,
    usage(60),
  ]);
});

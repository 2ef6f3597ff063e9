import {
  Agent,
  handoff,
  MemorySession,
  OpenAIResponsesModel,
  RunContext,
  Runner,
  tool,
  Usage,
  type AgentInputItem,
  type AgentOutputType,
  type SessionInputCallback,
} from '@openai/agents';
import { createSpillway } from '@spillway/openai-agents';
import { apiOf, startStubProvider, type ScriptedReply, type StubProvider } from '@spillway/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcriptOf } from './transcript.js';
import { liveMessagesOf } from './adapter-rig.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('api');
});

/** A session in a process of its own. */
const sessionOf = (id: string) => createSpillway({ baseUrl: stack.url, key: stack.key }).session(id);
const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content });
const call = (callId: string, args = '{}'): AgentInputItem => ({
  type: 'function_call',
  callId,
  name: 'list_orders',
  arguments: args,
  status: 'completed',
});
const result = (callId: string): AgentInputItem => ({
  type: 'function_call_result',
  callId,
  name: 'list_orders',
  status: 'completed',
  output: { type: 'text', text: 'none' },
});

test('items are read by every process, all of them or the newest', async () => {
  const session = sessionOf('items');
  expect(await session.getItems()).toEqual([]);
  await session.addItems([user('one'), call('c1'), result('c1')]);
  await session.addItems([user('one')]);
  const items = [user('one'), call('c1'), result('c1'), user('one')];
  expect(await session.getItems()).toEqual(items);
  const other = sessionOf('items');
  expect(await other.getItems(2)).toEqual(items.slice(-2));
  await other.addItems([user('two')]);
  expect(await session.getItems()).toEqual([...items, user('two')]);
});

test('popItem takes the newest item back, also what another process added, until there is none', async () => {
  const session = sessionOf('pop');
  await session.addItems([user('one'), user('two'), user('two')]);
  await sessionOf('pop').addItems([user('three')]);
  expect(await session.popItem()).toEqual(user('three'));
  expect(await session.popItem()).toEqual(user('two'));
  expect(await sessionOf('pop').getItems()).toEqual([user('one'), user('two')]);
  await session.addItems([user('four')]);
  expect(await sessionOf('pop').getItems()).toEqual([user('one'), user('two'), user('four')]);
  for (let left = 3; left > 0; left--) expect(await session.popItem()).toBeDefined();
  expect(await session.popItem()).toBeUndefined();
  expect(await sessionOf('pop').getItems()).toEqual([]);
});

test('clearSession empties the thread, which can be used again', async () => {
  const session = sessionOf('clear');
  await session.addItems([user('one'), user('two')]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
  await session.addItems([user('one')]);
  expect(await sessionOf('clear').getItems()).toEqual([user('one')]);
  expect(transcriptOf((await apiOf(stack).context('clear')).messages)).toEqual(['user: one']);
});

test('clearSession empties a thread that this process never read, and one that another process wrote to', async () => {
  await sessionOf('clear-first').addItems([user('one'), user('two')]);
  await sessionOf('clear-first').clearSession();
  expect(await sessionOf('clear-first').getItems()).toEqual([]);

  const session = sessionOf('clear-both');
  await session.addItems([user('one')]);
  await sessionOf('clear-both').addItems([user('two')]);
  await session.clearSession();
  await session.addItems([user('three')]);
  expect(await sessionOf('clear-both').getItems()).toEqual([user('three')]);
});

test('a call that is replaced takes the thread back to it, and what follows it is recorded anew', async () => {
  const session = sessionOf('replace');
  await session.addItems([user('one'), call('c1'), result('c1'), user('two')]);
  const replacement = call('c1', '{"n":1}') as Extract<AgentInputItem, { type: 'function_call' }>;
  await session.applyHistoryMutations({
    mutations: [{ type: 'replace_function_call', callId: 'c1', replacement }],
  });
  const items = [user('one'), replacement, result('c1'), user('two')];
  expect(await session.getItems()).toEqual(items);
  expect(await sessionOf('replace').getItems()).toEqual(items);
});

test("the tokens of an agent that is a tool of the run are not taken for those of the run's own model call", async () => {
  const session = sessionOf('tool-agent');
  const run = new RunContext();
  await session.getItems(undefined, run);
  const agent = new Agent({ name: 'orders', model: 'gpt-4o' });
  const instructions = 'Answer in words. '.repeat(500);
  const step = async (...input: AgentInputItem[]) => {
    const modelData = { input, instructions };
    await session.callModelInputFilter({
      modelData,
      agent: agent as unknown as Agent<unknown, AgentOutputType>,
      context: undefined,
    });
    return (await apiOf(stack).context('tool-agent')).tokens.total;
  };
  const count = (inputTokens: number) =>
    run.usage.add(new Usage({ requests: 1, inputTokens, outputTokens: 10, totalTokens: inputTokens + 10 }));
  const measured = async () => (await apiOf(stack).thread('tool-agent')).measured_ratio;

  const first = await step(user('one'));
  const before = await measured();
  count(first * 2);
  count(first * 3);
  const second = await step(user('one'), call('c1'), result('c1'));
  expect(await measured()).toBe(before);
  count(second * 2);
  await step(user('one'), call('c1'), result('c1'), call('c2'), result('c2'));
  expect(await measured()).toBeCloseTo(2, 1);
});

describe('after a run that failed', () => {
  let provider: StubProvider;
  beforeAll(async () => {
    provider = await startStubProvider({
      model: ({ asked }) => {
        if (asked.at(-1) === 'fails') throw new Error('The model is down.');
        return { text: 'ok' };
      },
      contextWindow: 128_000,
    });
  });
  afterAll(() => provider?.stop());

  const ask = (session: ReturnType<typeof sessionOf>, question: string) => {
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
    const agent = new Agent({ name: 'short', model: new OpenAIResponsesModel(client, 'gpt-4o-mini') });
    return new Runner({ tracingDisabled: true }).run(agent, question, session.options);
  };
  const shown = async (id: string) => transcriptOf(await liveMessagesOf(stack, id));
  const answered = (...questions: string[]) => questions.flatMap((one) => [`user: ${one}`, 'assistant: ok']);

  test('the next run takes its messages back', async () => {
    const session = sessionOf('failed');
    await ask(session, 'one');
    await expect(ask(session, 'fails')).rejects.toThrow();
    expect(await shown('failed')).toEqual([...answered('one'), 'user: fails']);
    await ask(session, 'two');
    expect(await shown('failed')).toEqual(answered('one', 'two'));
  });

  test('what the caller took back itself is not taken back twice', async () => {
    const session = sessionOf('failed-pop');
    await ask(session, 'one');
    await expect(ask(session, 'fails')).rejects.toThrow();
    expect(await session.popItem()).toMatchObject({ role: 'user' });
    await ask(session, 'two');
    expect(await shown('failed-pop')).toEqual(answered('one', 'two'));

    await expect(ask(session, 'fails')).rejects.toThrow();
    await session.clearSession();
    await ask(session, 'three');
    expect(await shown('failed-pop')).toEqual(answered('three'));
  });

  test('turns of another process stay, and so does what they continued', async () => {
    const session = sessionOf('failed-other');
    await ask(session, 'one');
    await expect(ask(session, 'fails')).rejects.toThrow();
    const other = sessionOf('failed-other');
    await ask(other, 'two');
    await ask(other, 'three');
    await ask(session, 'four');
    expect(await shown('failed-other')).toEqual([
      ...answered('one'),
      'user: fails',
      ...answered('two', 'three', 'four'),
    ]);
  });
});

describe('after an item that Spillway refused', () => {
  const image = (bytes: number): AgentInputItem => ({
    ...(result('c1') as Extract<AgentInputItem, { type: 'function_call_result' }>),
    output: { type: 'image' as const, image: { data: 'A'.repeat(bytes), mediaType: 'image/png' } },
  });
  const tooLarge = 12_000_000;
  let provider: StubProvider;
  let replies: ScriptedReply[] = [];
  beforeAll(async () => {
    provider = await startStubProvider({ model: () => replies.shift()!, contextWindow: 128_000 });
  });
  afterAll(() => provider?.stop());

  const ask = (session: ReturnType<typeof sessionOf>, question: string | AgentInputItem[]) => {
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
    const screenshot = tool({
      name: 'screenshot',
      description: 'Takes a screenshot.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: () => ({
        type: 'image' as const,
        image: { data: 'A'.repeat(tooLarge), mediaType: 'image/png' },
      }),
    });
    const agent = new Agent({
      name: 'short',
      model: new OpenAIResponsesModel(client, 'gpt-4o-mini'),
      tools: [screenshot],
    });
    return new Runner({ tracingDisabled: true }).run(agent, question, session.options);
  };
  const shown = async (id: string) => transcriptOf(await liveMessagesOf(stack, id));
  const takesScreenshot = { calls: [{ name: 'screenshot', args: {} }] };
  const ok = { text: 'ok' };

  test('of a tool, the next run goes on without the run that failed', async () => {
    const session = sessionOf('refused-result');
    replies = [ok, takesScreenshot, ok];
    await ask(session, 'one');
    await expect(ask(session, 'two')).rejects.toMatchObject({ code: 'body_too_large' });
    await ask(session, 'three');
    const rest = ['user: one', 'assistant: ok', 'user: three', 'assistant: ok'];
    expect(await shown('refused-result')).toEqual(rest);
    expect(transcriptOf(await session.getItems())).toEqual(rest);
  });

  test('of a tool, popItem takes back what was recorded before it', async () => {
    const session = sessionOf('refused-pop');
    replies = [takesScreenshot, ok];
    await expect(ask(session, 'one')).rejects.toMatchObject({ code: 'body_too_large' });
    expect(await session.popItem()).toMatchObject({ role: 'user' });
    await session.addItems([user('two')]);
    expect(await shown('refused-pop')).toEqual(['user: two']);
  });

  test('of the caller with the id of another message, the next run goes on', async () => {
    const session = sessionOf('refused-id');
    replies = [ok, ok];
    await ask(session, [{ ...user('one'), id: 'turn-1' }]);
    const twin = { ...user('two'), id: 'turn-1' } as AgentInputItem;
    await expect(ask(session, [twin])).rejects.toMatchObject({ code: 'message_conflict' });
    await ask(session, 'three');
    expect(await shown('refused-id')).toEqual(['user: one', 'assistant: ok', 'user: three', 'assistant: ok']);
  });

  test('by addItems, the session is as before', async () => {
    const session = sessionOf('refused-added');
    await session.addItems([user('one'), call('c1')]);
    await expect(session.addItems([image(tooLarge)])).rejects.toMatchObject({ code: 'body_too_large' });
    expect(await session.getItems()).toEqual([user('one'), call('c1')]);
    await session.addItems([result('c1')]);
    expect(await session.getItems()).toEqual([user('one'), call('c1'), result('c1')]);
    expect(await sessionOf('refused-added').getItems()).toEqual(await session.getItems());
  });
});

describe('a thread has what the session of the SDK has, each message once', () => {
  const replies: ScriptedReply[] = [];
  let provider: StubProvider;
  beforeAll(async () => {
    provider = await startStubProvider({ model: () => replies.shift()!, contextWindow: 128_000 });
  });
  afterAll(() => provider?.stop());

  type Conversation = (
    ask: (question: string, sessionInputCallback?: SessionInputCallback) => Promise<unknown>,
    session: MemorySession | ReturnType<typeof sessionOf>,
  ) => Promise<void>;
  const lists = { calls: [{ name: 'list_orders', args: {} }] };
  const handsOver = { calls: [{ name: 'transfer_to_second', args: {} }] };
  const ok = { text: 'ok' };
  const isMessage = (item: AgentInputItem) => item.type === undefined || item.type === 'message';

  /** Has a conversation with an agent that hands over to a second one, which sees no calls and results. */
  async function converse(
    session: MemorySession | ReturnType<typeof sessionOf>,
    script: readonly ScriptedReply[],
    conversation: Conversation,
    way: 'whole' | 'streamed',
  ): Promise<void> {
    replies.splice(0, replies.length, ...script);
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
    const model = new OpenAIResponsesModel(client, 'gpt-4o-mini');
    const listOrders = tool({
      name: 'list_orders',
      description: 'Lists all orders.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: () => 'none',
    });
    const second = handoff(new Agent({ name: 'second', model }), {
      inputFilter: (data) => ({
        ...data,
        inputHistory: Array.isArray(data.inputHistory)
          ? data.inputHistory.filter(isMessage)
          : data.inputHistory,
        preHandoffItems: [],
        newItems: [],
      }),
    });
    const agent = new Agent({ name: 'first', model, tools: [listOrders], handoffs: [second] });
    const runner = new Runner({ tracingDisabled: true });
    await conversation(async (question, sessionInputCallback) => {
      const options = {
        ...(session instanceof MemorySession ? { session } : session.options),
        ...(sessionInputCallback ? { sessionInputCallback } : {}),
      };
      if (way === 'whole') return runner.run(agent, question, options);
      const streamed = await runner.run(agent, question, { ...options, stream: true });
      return streamed.completed;
    }, session);
  }

  const cases: [string, readonly ScriptedReply[], Conversation][] = [
    [
      'with a callback that keeps the newest item',
      [lists, ok, lists, { text: 'two' }, ok],
      async (ask) => {
        await ask('one');
        for (const question of ['two', 'three'])
          await ask(question, (history, asked) => [...history.slice(-1), ...asked]);
      },
    ],
    [
      'with a callback that keeps nothing, and the same question again',
      [lists, ok, ok, lists, ok, ok],
      async (ask) => {
        for (const question of ['yes', 'yes', 'yes', 'no']) await ask(question, (_, asked) => asked);
      },
    ],
    [
      'with a callback that leaves calls out',
      [lists, ok, lists, ok, ok],
      async (ask) => {
        for (const question of ['one', 'two', 'one'])
          await ask(question, (history, asked) => [...history.filter(isMessage), ...asked]);
      },
    ],
    [
      'with a callback that leaves out all but questions',
      [lists, ok, lists, ok, lists, ok],
      async (ask) => {
        const isQuestion = (item: AgentInputItem) =>
          isMessage(item) && 'role' in item && item.role === 'user';
        for (const question of ['one', 'two', 'two'])
          await ask(question, (history, asked) => [...history.filter(isQuestion), ...asked]);
      },
    ],
    [
      'with a handoff that takes calls from the input',
      [lists, ok, handsOver, ok, ok],
      async (ask) => {
        for (const question of ['one', 'two', 'two']) await ask(question);
      },
    ],
    [
      "with the caller's own items after a run",
      [ok, ok],
      async (ask, session) => {
        await ask('one');
        await session.addItems([user('one'), user('two')]);
        await ask('one');
      },
    ],
  ];
  const ways = ['whole', 'streamed'] as const;
  test.each(cases.flatMap((one) => ways.map((way) => ({ title: one[0], way, one }))))(
    '$title, $way',
    async ({ title, way, one: [, script, conversation] }) => {
      const memory = new MemorySession();
      await converse(memory, script, conversation, way);
      const id = `${title} ${way}`.replaceAll(/\W+/g, '-');
      await converse(sessionOf(id), script, conversation, way);
      expect(transcriptOf(await liveMessagesOf(stack, id))).toEqual(transcriptOf(await memory.getItems()));
      expect(provider.refused).toEqual([]);
    },
  );
});

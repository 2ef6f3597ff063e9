import {
  Agent,
  OpenAIResponsesModel,
  RunContext,
  Runner,
  Usage,
  type AgentInputItem,
  type AgentOutputType,
} from '@openai/agents';
import { createSpillway } from '@spillway/openai-agents';
import { apiOf, startStubProvider, type StubProvider } from '@spillway/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcriptOf } from './transcript.js';
import { liveMessagesOf } from './world.js';
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

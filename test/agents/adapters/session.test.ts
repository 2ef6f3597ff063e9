import { Agent, RunContext, Usage, type AgentInputItem, type AgentOutputType } from '@openai/agents';
import { createSpillway } from '@spillway/openai-agents';
import { apiOf } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { transcriptOf } from './transcript.js';
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

import type { Schemas } from '@spillway/client';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createSpillway } from '@spillway/langchain';
import { startStubProvider, apiOf, type StubProvider } from '@spillway/testing';
import { createAgent, tool } from 'langchain';
import { beforeAll, expect, test } from 'vitest';
import { listOrders } from '../../../examples/orders.ts';
import { transcriptOf } from './transcript.js';
import { ordersModel } from './adapter-rig.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('api');
});

const modelOf = ({ url }: StubProvider) =>
  new ChatOpenAI({
    model: 'gpt-4o-mini',
    apiKey: 'sk-test',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  });

test('with a checkpointer each run passes the new question alone, and state and thread are both whole', async () => {
  const provider = await startStubProvider({ model: ordersModel, contextWindow: 128_000 });
  const checkpointer = new MemorySaver();
  const agentOf = () =>
    createAgent({
      model: modelOf(provider),
      tools: [
        tool(() => listOrders(), {
          name: 'list_orders',
          description: 'Lists all orders.',
          schema: { type: 'object', properties: { n: { type: 'number' } } },
        }),
      ],
      middleware: [createSpillway({ baseUrl: stack.url, key: stack.key }).middleware],
      checkpointer,
    });
  const ask = (agent: ReturnType<typeof agentOf>, question: string) =>
    agent.invoke(
      { messages: [{ role: 'user', content: question }] },
      { configurable: { thread_id: 'checkpointed' } },
    );
  try {
    const agent = agentOf();
    await ask(agent, 'Which order is damaged?');
    await ask(agent, 'hello 2');
    const { messages } = await ask(agentOf(), 'hello 3');
    expect(messages).toHaveLength(11);
    expect(messages.map(({ text }) => text).join()).toContain('order-700');
    expect(transcriptOf(await apiOf(stack).originals('checkpointed'))).toEqual([
      'user: Which order is damaged?',
      ...['call list_orders', 'call list_orders', 'result', 'result', 'call read_output', 'result'],
      'assistant: Damaged: order-1234.',
      ...['user: hello 2', 'assistant: Hello 2.', 'user: hello 3', 'assistant: Hello 3.'],
    ]);
    expect(Math.max(...provider.accepted)).toBeLessThan(8_000);
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
  }
});

test('an agent that is a tool has a thread of its own for each conversation', async () => {
  const provider = await startStubProvider({
    model: ({ results, asked }) => {
      if (/^helper/.test(asked.at(-1)!)) return { text: `Asked ${asked.length} of ${asked.at(-1)!}.` };
      if (results.length > 0) return { text: results.join(' ') };
      return {
        calls: ['one', 'two'].map((n) => ({ name: 'ask_helper', args: { question: `helper ${n}` } })),
      };
    },
    contextWindow: 128_000,
  });
  const { middleware } = createSpillway({ baseUrl: stack.url, key: stack.key });
  const agentWith = (tools: ReturnType<typeof tool>[]) =>
    createAgent({
      model: modelOf(provider),
      tools,
      middleware: [middleware],
    });
  const helper = agentWith([]);
  const askHelper = tool(
    async (input) => {
      const { question: content } = input as { question: string };
      const { messages } = await helper.invoke({ messages: [{ role: 'user', content }] });
      return messages.at(-1)!.text;
    },
    {
      name: 'ask_helper',
      description: 'Asks a helper.',
      schema: { type: 'object', properties: { question: { type: 'string' } } },
    },
  );
  try {
    const { messages } = await agentWith([askHelper]).invoke(
      { messages: [{ role: 'user', content: 'Ask both.' }] },
      { configurable: { thread_id: 'with-helpers' } },
    );
    expect(messages.at(-1)!.text).toBe('Asked 1 of helper one. Asked 1 of helper two.');
    const api = apiOf(stack);
    expect(transcriptOf(await api.originals('with-helpers'))).toEqual([
      ...['user: Ask both.', 'call ask_helper', 'call ask_helper', 'result', 'result'],
      'assistant: Asked 1 of helper one. Asked 1 of helper two.',
    ]);
    const { body } = await api.call<Schemas['ThreadList']>('GET', '/v1/threads?q=with-helpers:');
    const theirs = await Promise.all(body.data.map(async ({ id }) => transcriptOf(await api.originals(id))));
    expect(theirs.sort()).toEqual([
      ['user: helper one', 'assistant: Asked 1 of helper one.'],
      ['user: helper two', 'assistant: Asked 1 of helper two.'],
    ]);
  } finally {
    await provider.stop();
  }
});

import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createSpillway } from '@spillway/langchain';
import { startStubProvider, apiOf } from '@spillway/testing';
import { createAgent, tool } from 'langchain';
import { beforeAll, expect, test } from 'vitest';
import { listOrders } from '../../../examples/orders.ts';
import { transcriptOf } from './transcript.js';
import { ordersModel } from './world.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('api');
});

test('with a checkpointer each run passes the new question alone, and state and thread are both whole', async () => {
  const provider = await startStubProvider({ model: ordersModel, contextWindow: 128_000 });
  const checkpointer = new MemorySaver();
  const agentOf = () =>
    createAgent({
      model: new ChatOpenAI({
        model: 'gpt-4o-mini',
        apiKey: 'sk-test',
        maxRetries: 0,
        configuration: { baseURL: `${provider.url}/v1` },
      }),
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

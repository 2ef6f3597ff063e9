import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { createSpillway } from '@spillway/mastra';
import { apiOf, startStubProvider } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { listOrders } from '../../../examples/orders.ts';
import { transcriptOf } from './transcript.js';
import { ordersModel } from './adapter-rig.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('api');
});

test('with a memory each run passes the new question alone, and memory and thread are both whole', async () => {
  const provider = await startStubProvider({ model: ordersModel, contextWindow: 128_000 });
  const memory = new Memory({ storage: new InMemoryStore(), options: { lastMessages: 100 } });
  const run = { thread: 'remembered', resource: 'tests' };
  const agentOf = () =>
    new Agent({
      id: 'orders',
      name: 'orders',
      instructions: 'You answer questions about orders.',
      model: { id: 'stub/gpt-4o-mini', url: `${provider.url}/v1`, apiKey: 'sk-test' },
      memory,
      tools: {
        list_orders: createTool({
          id: 'list_orders',
          description: 'Lists all orders.',
          inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
          execute: () => Promise.resolve(listOrders()),
        }),
      },
      ...createSpillway({ baseUrl: stack.url, key: stack.key }).processors,
    });
  try {
    const agent = agentOf();
    await agent.generate('Which order is damaged?', { memory: run });
    await agent.generate('hello 2', { memory: run });
    const { text } = await agentOf().generate('hello 3', { memory: run });
    expect(text).toBe('Hello 3.');
    const { messages } = await memory.recall({ threadId: run.thread, resourceId: run.resource });
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(JSON.stringify(messages)).toContain('order-700');
    expect(transcriptOf(await apiOf(stack).originals('remembered'))).toEqual([
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

import { Agent, OpenAIChatCompletionsModel, Runner, tool } from '@openai/agents';
import { createSpillway } from '@spillway/openai-agents';
import { startStubProvider, type ScriptedReply, type StubProvider } from '@spillway/testing';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcriptOf } from './adapters/transcript.js';
import { liveMessagesOf } from './adapters/adapter-rig.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let provider: StubProvider;
const replies: ScriptedReply[] = [];
beforeAll(async () => {
  stack = await borrowedStack('api');
  provider = await startStubProvider({ model: () => replies.shift()!, contextWindow: 128_000 });
});
afterAll(() => provider?.stop());

const lists = { name: 'list_orders', args: {} };

// The SDK gives all items of an answer the id of the completion.
test.each(['whole', 'streamed'] as const)(
  'an answer of several items over chat completions is recorded whole in each run of a session, %s',
  async (way) => {
    const id = `chat-completions-${way}`;
    const session = createSpillway({ baseUrl: stack.url, key: stack.key }).session(id, {
      model: 'gpt-4o-mini',
    });
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
    const listOrders = tool({
      name: 'list_orders',
      description: 'Lists all orders.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: () => 'none',
    });
    const agent = new Agent({
      name: 'orders',
      model: new OpenAIChatCompletionsModel(client, 'gpt-4o-mini'),
      tools: session.tools([listOrders]),
    });
    const runner = new Runner({ tracingDisabled: true });
    const ask = async (question: string) => {
      if (way === 'whole') return runner.run(agent, question, session.options);
      const streamed = await runner.run(agent, question, { ...session.options, stream: true });
      return streamed.completed;
    };

    replies.push(
      { calls: [lists, lists] },
      { text: 'ok' },
      { text: 'I look.', calls: [lists] },
      { text: 'ok' },
    );
    await ask('one');
    await ask('two');
    expect(transcriptOf(await liveMessagesOf(stack, id))).toEqual([
      'user: one',
      'call list_orders',
      'call list_orders',
      'result',
      'result',
      'assistant: ok',
      'user: two',
      'assistant: I look.',
      'call list_orders',
      'result',
      'assistant: ok',
    ]);
    expect(transcriptOf(await session.getItems())).toEqual(transcriptOf(await liveMessagesOf(stack, id)));
    expect(provider.refused).toEqual([]);
  },
);

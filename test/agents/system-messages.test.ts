import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createSpillway } from '@spillway/ai-sdk';
import { apiOf, startStubProvider, type StubProvider } from '@spillway/testing';
import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  type SystemModelMessage,
} from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let provider: StubProvider;
beforeAll(async () => {
  stack = await borrowedStack('api');
  provider = await startStubProvider({
    model: ({ results }) =>
      results.length > 1 ? { text: 'Done.' } : { calls: [{ name: 'look', args: { at: results.length } }] },
    contextWindow: 128_000,
  });
});
afterAll(() => provider?.stop());

const model = () =>
  createOpenAICompatible({ name: 'stub', baseURL: `${provider.url}/v1`, apiKey: 'sk-test' })('gpt-4o-mini');
const tools = {
  look: dynamicTool({ inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => 'seen' }),
};
const system = (content: string): SystemModelMessage => ({ role: 'system', content });
const history: ModelMessage[] = [
  system('Speak plainly.'),
  { role: 'user', content: 'What is there?' },
  system('It is late.'),
  { role: 'user', content: 'And now?' },
];

test('the AI SDK takes a context of a thread with system messages, which it refuses among its messages', async () => {
  const api = apiOf(stack);
  await api.call('POST', '/v1/threads/systems/messages', { messages: history });
  const context = await api.context('systems', '?format=ai-sdk');
  expect(context.system).toBe('Speak plainly.');
  const messages = context.messages as unknown as ModelMessage[];
  const { text } = await generateText({
    model: model(),
    instructions: context.system!,
    messages,
    tools,
    stopWhen: isStepCount(5),
  });
  expect(text).toBe('Done.');
  expect(messages[1]).toEqual({ role: 'user', content: '[System message] It is late.' });
});

test.each([
  ['a text', 'Be brief.'],
  ['a message with options', { ...system('Be brief.'), providerOptions: { stub: { a: 1 } } }],
])(
  'system messages at the start of a history are sent once beside instructions that are %s',
  async (what, own) => {
    const thread = createSpillway({ baseUrl: stack.url, key: stack.key }).thread(what.replaceAll(' ', '-'));
    const sent: unknown[] = [];
    const { steps } = await generateText({
      model: model(),
      instructions: own,
      messages: history,
      allowSystemInMessages: true,
      tools: thread.tools(tools),
      stopWhen: isStepCount(5),
      prepareStep: async (step) => {
        const prepared = await thread.prepareStep(step);
        sent.push(prepared?.instructions);
        return prepared;
      },
      onEnd: thread.onEnd,
    });
    expect(steps).toHaveLength(3);
    expect(sent).toEqual(Array.from({ length: 3 }, () => 'Be brief.\n\nSpeak plainly.'));
  },
);

test('instructions with options are sent as they are where the history has no system messages', async () => {
  const own = { ...system('Be brief.'), providerOptions: { stub: { a: 1 } } };
  const thread = createSpillway({ baseUrl: stack.url, key: stack.key }).thread('options');
  const step = { stepNumber: 0, model: 'gpt-4o-mini', instructions: own, steps: [] };
  const messages = history.slice(3);
  const prepared = await thread.prepareStep({ ...step, messages, initialMessages: messages });
  expect(prepared).toEqual({ messages, instructions: own });
});

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createSpillway } from '@spillway/ai-sdk';
import { apiOf, startStubProvider, type StubProvider } from '@spillway/testing';
import {
  dynamicTool,
  experimental_createSteering as createSteering,
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  type ModelMessage,
} from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcriptOf } from './transcript.js';
import { liveMessagesOf } from './adapter-rig.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

let stack: BorrowedStack;
let provider: StubProvider;
beforeAll(async () => {
  stack = await borrowedStack('api');
  provider = await startStubProvider({
    model: ({ results }) =>
      results.length > 0
        ? { text: results.join() }
        : { calls: ['look', 'drop'].map((name) => ({ name, args: {} })) },
    contextWindow: 128_000,
  });
});
afterAll(() => provider?.stop());

const inputSchema = jsonSchema({ type: 'object', properties: {} });
const tools = {
  look: dynamicTool({ inputSchema, execute: () => 'seen' }),
  drop: dynamicTool({ inputSchema, execute: () => 'dropped', needsApproval: true }),
};

const modelOf = () =>
  createOpenAICompatible({ name: 'stub', baseURL: `${provider.url}/v1`, apiKey: 'sk-test' })('gpt-4o-mini');

/** A run in a process of its own. Returns what it adds to the conversation. */
async function run(id: string, messages: ModelMessage[], stream: boolean): Promise<ModelMessage[]> {
  const thread = createSpillway({ baseUrl: stack.url, key: stack.key }).thread(id);
  const settings = {
    model: modelOf(),
    messages,
    tools: thread.tools(tools),
    stopWhen: isStepCount(5),
    maxRetries: 0,
    ...thread.hooks,
  };
  if (!stream) return (await generateText(settings)).responseMessages;
  const result = streamText(settings);
  await result.consumeStream();
  return result.responseMessages;
}

test.each([
  ['approved', true, 'dropped', false],
  ['approved, in a stream', true, 'dropped', true],
  ['denied', false, 'denied', false],
  ['denied, in a stream', false, 'denied', true],
])(
  'a call that is %s has one result, and the thread is the conversation',
  async (what, approved, result, stream) => {
    const id = what.replaceAll(/\W+/g, '-');
    // An image in memory, as the SDK takes it.
    const image = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
    const messages: ModelMessage[] = [{ role: 'user', content: [{ type: 'image', image }] }];
    messages.push(...(await run(id, messages, stream)));
    const asked = messages.at(-2)!.content as { type: string; approvalId: string }[];
    const { approvalId } = asked.find(({ type }) => type === 'tool-approval-request')!;
    messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved }] });
    messages.push(...(await run(id, messages, stream)));

    const { content } = messages.at(-1)!;
    expect(JSON.stringify(content)).toMatch(new RegExp(`seen,.*${result}`));
    const posted = JSON.parse(
      JSON.stringify([
        { role: 'user', content: [{ type: 'image', image: image.toString('base64') }] },
        ...messages.slice(1),
      ]),
    ) as object[];
    expect(await apiOf(stack).originals(id)).toEqual(posted);
    expect((await apiOf(stack).context(id)).messages).toEqual(posted);
    expect(provider.refused).toEqual([]);
  },
);

test.each([false, true])(
  'a message that steers a run is recorded where the model saw it, streamed: %j',
  async (stream) => {
    const id = `steered-${stream}`;
    const thread = createSpillway({ baseUrl: stack.url, key: stack.key }).thread(id);
    const steering = createSteering();
    const execute = () => {
      void steering.steer('Use Paris, Texas.');
      return 'seen';
    };
    const settings = {
      model: modelOf(),
      messages: [{ role: 'user' as const, content: 'Weather in Paris?' }],
      tools: thread.tools({ ...tools, look: dynamicTool({ inputSchema, execute }), drop: tools.look }),
      stopWhen: isStepCount(5),
      maxRetries: 0,
      experimental_steering: steering,
      ...thread.hooks,
    };
    if (stream) await streamText(settings).consumeStream();
    else await generateText(settings);
    expect(transcriptOf(await liveMessagesOf(stack, id))).toEqual([
      'user: Weather in Paris?',
      'call look',
      'call drop',
      'result',
      'result',
      'user: Use Paris, Texas.',
      'assistant: seen,seen',
    ]);
  },
);

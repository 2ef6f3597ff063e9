import Anthropic from '@anthropic-ai/sdk';
import type { Schemas } from '@spillway/client';
import OpenAI from 'openai';
import {
  apiOf,
  startStack,
  startStubProvider,
  type AppProcess,
  type Stack,
  type StubProvider,
} from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sized } from '../sizes.js';

const window = 16_000;
/** Each step sends all before it once more: the time of a loop grows with the square of its steps. */
const [long, short] = [sized(80, 200), sized(80, 100)];

let provider: StubProvider;
let stack: Stack;
let forAnthropic: AppProcess;
beforeAll(async () => {
  provider = await startStubProvider({
    // Looks something up until it has done so often enough.
    model: ({ results, asked }) =>
      results.at(-1)?.startsWith(`look-up ${Number(/Look up (\d+)/.exec(asked.join())?.[1]) - 1}:`)
        ? { text: 'All of it was looked up.' }
        : {
            text: 'Next.',
            calls: [{ name: 'look_up', args: { about: results.at(-1)?.slice(0, 20) ?? 'start' } }],
          },
    contextWindow: window,
  });
  const llm = {
    SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
    SPILLWAY_CHAT_MODELS: 'gpt-4o-mini claude-haiku-4-5',
  };
  stack = await startStack({
    env: { ...llm, SPILLWAY_LLM_PROVIDER: 'openai', SPILLWAY_LLM_BASE_URL: `${provider.url}/v1` },
  });
  forAnthropic = await stack.startApi({
    SPILLWAY_LLM_PROVIDER: 'anthropic',
    SPILLWAY_LLM_BASE_URL: `${provider.url}/v1`,
  });
  const policy = {
    context: { context_window: window, response_reserve: 1_000 },
    summary: { provider: 'extractive' },
  };
  expect((await apiOf(stack).call('PUT', '/v1/policy', policy)).status).toBe(200);
});
afterAll(async () => {
  await stack?.stop();
  await provider?.stop();
});

const system = 'You look things up.';
const question = (steps: number) => `Look up ${steps} things, one at a time.`;
const found = (i: number) =>
  `look-up ${i}: ${`The record ${i} says that shelf ${i * 7} is in use. `.repeat(12)}`;
const tool = { name: 'look_up', description: 'Looks something up.' };
const schema = { type: 'object' as const, properties: { about: { type: 'string' as const } } };

const byHistory = { 'Spillway-Thread-From': 'history' };
const known = new Set<string>();

/** The thread of a loop that named none: the only one that was not there before. */
async function foundThread(): Promise<string> {
  const list = await apiOf(stack).call<Schemas['ThreadList']>('GET', '/v1/threads?limit=100');
  const fresh = list.body.data
    .map(({ id }) => id)
    .filter((id) => id.startsWith('history:') && !known.has(id));
  expect(fresh).toHaveLength(1);
  known.add(fresh[0]!);
  return fresh[0]!;
}

/** The thread holds what the agent holds, once, and no request was refused. */
async function expectWhole(id: string, messages: number): Promise<void> {
  const api = apiOf(stack);
  expect(provider.refused).toEqual([]);
  expect((await api.originals(id)).length).toBe(messages);
  const thread = await api.thread(id);
  expect(thread.compaction.generation).toBeGreaterThan(0);
  expect(thread.last_seq).toBe(messages);
}

test.each([
  [true, long],
  [false, short],
])(
  "OpenAI's SDK runs a loop of chat completions through a window of 16 k (streamed, in a named thread: %s)",
  { tags: 'long' },
  async (stream, steps) => {
    const id = `chat-${stream}`;
    const openai = new OpenAI({
      apiKey: stack.key,
      baseURL: `${stack.url}/v1`,
      defaultHeaders: stream ? { 'Spillway-Thread': id } : byHistory,
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: system },
      { role: 'user', content: question(steps) },
    ];
    const request = {
      model: 'gpt-4o-mini',
      messages,
      tools: [{ type: 'function' as const, function: { ...tool, parameters: schema } }],
    };
    for (let i = 0; ; i++) {
      const { choices } = stream
        ? await openai.chat.completions.stream(request).finalChatCompletion()
        : await openai.chat.completions.create(request);
      const { message } = choices[0]!;
      messages.push(message);
      if (!message.tool_calls?.length) break;
      for (const call of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: call.id, content: found(i) });
    }
    expect(messages.at(-1)).toMatchObject({ content: 'All of it was looked up.' });
    expect(messages.length).toBe(2 * steps + 3);
    await expectWhole(stream ? id : await foundThread(), messages.length - 1);
  },
);

test("OpenAI's SDK runs a loop of responses, streamed, in a thread that is found by its messages", async () => {
  const steps = long;
  const openai = new OpenAI({
    apiKey: stack.key,
    baseURL: `${stack.url}/v1`,
    defaultHeaders: byHistory,
  });
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question(steps) }];
  for (let i = 0; ; i++) {
    const response = await openai.responses
      .stream({
        model: 'gpt-4o-mini',
        instructions: system,
        input,
        tools: [{ type: 'function', ...tool, parameters: schema, strict: false }],
      })
      .finalResponse();
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
    const calls = response.output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) break;
    for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: found(i) });
  }
  expect(input.length).toBe(3 * steps + 2);
  await expectWhole(await foundThread(), input.length);
});

test.each([
  [true, long],
  [false, short],
])(
  "Anthropic's SDK runs a loop that thinks, streamed, with the prefix marked for the cache (marked, in a named thread: %s)",
  { tags: 'long' },
  async (marked, steps) => {
    const id = `messages-${marked}`;
    const anthropic = new Anthropic({
      apiKey: stack.key,
      baseURL: forAnthropic.url,
      defaultHeaders: marked ? { 'Spillway-Thread': id } : byHistory,
    });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question(steps) }];
    const cache_control = marked ? { cache_control: { type: 'ephemeral' as const } } : {};
    for (let i = 0; ; i++) {
      const message = await anthropic.messages
        .stream({
          model: 'claude-haiku-4-5',
          max_tokens: 2_000,
          thinking: { type: 'enabled', budget_tokens: 1_024 },
          system,
          messages,
          tools: [{ ...tool, input_schema: schema }],
        })
        .finalMessage();
      messages.push({ role: message.role, content: message.content });
      const calls = message.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) break;
      messages.push({
        role: 'user',
        content: calls.map((call) => ({
          type: 'tool_result' as const,
          tool_use_id: call.id,
          content: found(i),
          ...cache_control,
        })),
      });
    }
    expect(messages.length).toBe(2 * steps + 2);
    await expectWhole(marked ? id : await foundThread(), messages.length);
  },
);

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createSpillway } from '@spillway/ai-sdk';
import { Spillway } from '@spillway/client';
import { AgentThreads, fitsWithStubs, sizeOf } from '@spillway/client/agent';
import { apiOf, startStubProvider, type StubProvider } from '@spillway/testing';
import { dynamicTool, generateText, isStepCount, jsonSchema, type JSONValue, type ModelMessage } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let provider: StubProvider;
beforeAll(async () => {
  stack = await borrowedStack('api');
  provider = await startStubProvider({
    model: ({ results }) =>
      results.length > 0 ? { text: 'Seen.' } : { calls: [{ name: 'stock', args: {} }] },
    contextWindow: 128_000,
  });
});
afterAll(() => provider?.stop());

/** A busy machine is slow with large results, and no outage. */
const connection = () => ({ baseUrl: stack.url, key: stack.key, timeoutMs: 120_000 });

interface Part {
  input?: unknown;
}
const withKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`sku${i}`, i]));
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 'x' }));
const nested = (levels: number): JSONValue => (levels === 0 ? 'x' : [nested(levels - 1)]);

/** The result that a thread's only output holds. */
async function storedIn(id: string): Promise<unknown> {
  const { messages } = await apiOf(stack).context(id);
  const output = /out_[0-9a-f]{32}/.exec(JSON.stringify(messages))![0];
  const whole = await new Spillway(connection()).outputs.content(output);
  return new Response(whole).json();
}

test.each<[string, JSONValue]>([
  ['an-object-of-10001-keys', withKeys(10_001)],
  ['30000-rows-of-8-fields', rows(30_000)],
  ['65-levels', nested(65)],
  ['a-key-of-5000-characters', { ['k'.repeat(5_000)]: 1 }],
])('a run goes on when its tool returns %s, and so does the next one', async (id, value) => {
  const run = async (messages: ModelMessage[]) => {
    const thread = createSpillway(connection()).thread(id);
    const stock = dynamicTool({
      inputSchema: jsonSchema({ type: 'object', properties: {} }),
      execute: () => value,
    });
    const { text, responseMessages } = await generateText({
      model: createOpenAICompatible({ name: 'stub', baseURL: `${provider.url}/v1`, apiKey: 'sk-test' })(
        'gpt-4o-mini',
      ),
      messages,
      tools: thread.tools({ stock }),
      stopWhen: isStepCount(5),
      maxRetries: 0,
      ...thread.hooks,
    });
    expect(text).toBe('Seen.');
    return [...messages, ...responseMessages];
  };
  const messages = await run([{ role: 'user', content: 'What is in stock?' }]);
  expect(await storedIn(id)).toEqual(value);
  await run([...messages, { role: 'user', content: 'And now?' }]);
  expect(await apiOf(stack).thread(id)).toMatchObject({ last_seq: 6 });
});

test('a history of more values than a request may have is handed over whole', async () => {
  const threads = new AgentThreads('ai-sdk', { ...connection(), waitMs: 0 });
  const turns = [1, 2, 3].flatMap((i): ModelMessage[] => {
    const one = { toolCallId: `c${i}`, toolName: 'stock' };
    const output = { type: 'json' as const, value: Array.from({ length: 90_000 }, () => 0) };
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...one, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...one, output }] },
    ];
  });
  await threads.thread('many-values').context({ history: [{ role: 'user', content: 'Go.' }, ...turns] });
  expect(await apiOf(stack).thread('many-values')).toMatchObject({ last_seq: 7 });
});

describe('the client has the limits of the API', () => {
  const message = (value: unknown) => ({
    role: 'assistant',
    content: [{ type: 'text', text: 'x', providerOptions: value }],
  });
  const call = (input: unknown) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'stock', input }],
  });
  // The list of messages, the message, its content and the part are around the value, with the body.
  const around = 5;
  test.each<[string, unknown, unknown]>([
    ['keys of an object', withKeys(10_000), withKeys(10_001)],
    ['levels', { in: nested(64 - around - 1) }, { in: nested(64 - around) }],
    ['bytes of a key', { ['k'.repeat(4_094)]: 1 }, { ['k'.repeat(4_095)]: 1 }],
    [
      'values',
      { in: Array.from({ length: 247_900 }, () => 0) },
      { in: Array.from({ length: 250_001 }, () => 0) },
    ],
  ])('of %s, and takes the input of a call beyond them for a text', async (what, largest, tooLarge) => {
    const id = `limit-of-${what.replaceAll(' ', '-')}`;
    const thread = new Spillway(connection()).thread(id, { format: 'ai-sdk' });
    expect([largest, tooLarge].map((value) => fitsWithStubs(message(value)))).toEqual([true, false]);
    await thread.append(message(largest));
    await expect(thread.append(message(tooLarge))).rejects.toMatchObject({ code: 'body_too_complex' });
    expect(fitsWithStubs(call(tooLarge))).toBe(true);
    await thread.append(call(tooLarge));
    const recorded = (await apiOf(stack).originals(id)).at(-1);
    expect(recorded).toEqual(call({ json: JSON.stringify(tooLarge) }));
  });

  test.each<[string, unknown, unknown]>([
    [
      'values',
      { in: Array.from({ length: 9_998 }, () => 0) },
      { in: Array.from({ length: 9_999 }, () => 0) },
    ],
    ['levels', { in: nested(64 - around - 1) }, { in: nested(64 - around) }],
  ])('of %s in the input of a call', async (what, largest, tooLarge) => {
    const id = `input-of-${what}`;
    const thread = new Spillway(connection()).thread(id, { format: 'ai-sdk' });
    await thread.append(call(largest));
    await thread.append({ ...call(tooLarge), content: [{ ...call(tooLarge).content[0]!, toolCallId: 'd' }] });
    const recorded = (await apiOf(stack).originals(id)).map(({ content }) => (content as Part[])[0]!.input);
    expect(recorded).toEqual([largest, { json: JSON.stringify(tooLarge) }]);
    const two = [call(largest), call(tooLarge)].map((one) => sizeOf(one).values);
    expect(two[0]! > 50 && two[1]! < 20).toBe(true);
  });
});

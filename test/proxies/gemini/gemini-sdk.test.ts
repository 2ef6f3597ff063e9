import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schemas } from '@spillway/client';
import {
  apiOf,
  startStack,
  startStubProvider,
  until,
  type Stack,
  type StubProvider,
} from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { damagedOrderModel } from '../../agents/adapters/damaged-order-model.js';
import { needsFramework } from '../../agents/frameworks/needs-framework.js';
import { runProgram } from '../../agents/frameworks/run-program.js';
import { loadGenAi, type Content, type GenAi } from '../../agents/frameworks/google-genai/session.js';
import { sized } from '../../sizes.js';
import { gemini, user } from './gemini-rig.js';

const window = 16_000;
const steps = sized(40, 120);

let provider: StubProvider;
let stack: Stack;
let sdk: GenAi & { folder: string };
beforeAll(async () => {
  provider = await startStubProvider({
    // Looks two things up at once until it has done so often enough; to a question it answers alone.
    model: (seen) => {
      const { results, asked, tools } = seen;
      if (tools.includes('listOrders')) return damagedOrderModel('listOrders')(seen);
      const wanted = Number(/Look up (\d+)/.exec(asked.at(-1)!)?.[1] ?? 0);
      const found = Number(/^look-up (\d+)/.exec(results.at(-1) ?? '')?.[1] ?? -1) + 1;
      if (wanted === 0) return { text: `Noted ${/Remark (\d+)/.exec(asked.at(-1)!)?.[1]}.` };
      if (found >= wanted) return { text: 'All of it was looked up.' };
      const args = { about: found };
      return { text: 'Next.', calls: ['shelf', 'price'].map((name) => ({ name, args })) };
    },
    contextWindow: window,
  });
  stack = await startStack({
    env: {
      SPILLWAY_LLM_PROVIDER: 'google',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1beta`,
      SPILLWAY_LLM_API_KEY: 'key-of-the-server',
      SPILLWAY_LLM_MODEL: gemini,
      SPILLWAY_CHAT_MODELS: 'gemini-2.5-flash',
    },
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
needsFramework('google-genai', async () => {
  sdk = await loadGenAi();
});
beforeEach(() => {
  provider.refused.length = 0;
});

/** A client for which only the address, the key and the thread are Spillway's. Null: that is found by the messages. */
const clientOf = (
  id: string | null,
  { apiKey = stack.key, ...options }: { apiKey?: string; apiVersion?: string } = {},
) =>
  new sdk.GoogleGenAI({
    apiKey,
    httpOptions: {
      baseUrl: stack.url,
      headers: id === null ? { 'Spillway-Thread-From': 'history' } : { 'Spillway-Thread': id },
    },
    ...options,
  });

/** A fold that comes too late on a busy machine leaves the question out of the context, by which this model looks up. */
const untilFolded = (id: string) =>
  until('no fold is due', async () => (await apiOf(stack).thread(id)).compaction.state === 'idle');

/** The thread holds what the agent holds, once, was folded, and no request was refused. */
async function expectFolded(id: string, messages: number): Promise<void> {
  const api = apiOf(stack);
  expect(provider.refused).toEqual([]);
  const thread = await api.thread(id);
  expect(thread.last_seq).toBe(messages);
  expect(thread.compaction.generation).toBeGreaterThan(0);
}

const found = (name: string, i: number) =>
  `look-up ${i}: ${`The ${name} of the record ${i} is ${i * 7}. `.repeat(30)}`;
const config = {
  systemInstruction: 'You look things up.',
  tools: [
    {
      functionDeclarations: ['shelf', 'price'].map((name) => ({
        name,
        parametersJsonSchema: { type: 'object', properties: { about: { type: 'number' } } },
      })),
    },
  ],
};

test.each([false, true])(
  "Google's SDK runs a loop of parallel calls through a window of 16 k (streamed: %s)",
  async (isStream) => {
    const id = `genai-${isStream}`;
    const { models } = clientOf(id);
    const contents: Content[] = [user(`Look up ${steps} things.`)];
    for (let i = 0; ; i++) {
      const call = { model: gemini, contents, config };
      const answers = isStream
        ? await models.generateContentStream(call)
        : [await models.generateContent(call)];
      const calls = [];
      for await (const answer of answers) {
        // As they come: an answer that is streamed is several contents.
        contents.push(answer.candidates![0]!.content!);
        calls.push(...(answer.functionCalls ?? []));
      }
      if (calls.length === 0) break;
      expect(calls.map(({ name }) => name)).toEqual(['shelf', 'price']);
      const parts = calls.map((one) => ({
        functionResponse: { id: one.id, name: one.name, response: { output: found(one.name!, i) } },
      }));
      contents.push({ role: 'user', parts });
      await untilFolded(id);
    }
    await expectFolded(id, 2 * steps + 2);
    expect(Math.max(...provider.accepted)).toBeLessThan(window);
  },
);

test('a chat that names no thread goes on over a fold, streamed in turns and not', async () => {
  const chat = clientOf(null).chats.create({ model: gemini, config: {} });
  const words = 'The build failed because of a missing file. '.repeat(60);
  for (let i = 0; i < 40; i++) {
    const message = `Remark ${i}. ${words}`;
    let text = '';
    if (i % 2 === 0) text = (await chat.sendMessage({ message })).text!;
    else for await (const piece of await chat.sendMessageStream({ message })) text += piece.text ?? '';
    expect(text).toBe(`Noted ${i}.`);
  }
  const list = await apiOf(stack).call<Schemas['ThreadList']>('GET', '/v1/threads');
  const ids = list.body.data.map(({ id }) => id).filter((id) => id.startsWith('history:'));
  expect(ids).toHaveLength(1);
  await expectFolded(ids[0]!, 80);
});

test('errors come to its callers as those of Google do', async () => {
  const refused = clientOf('refused', { apiKey: 'sw_wrong' }).models.generateContent({
    model: gemini,
    contents: 'hello',
    config: {},
  });
  await expect(refused).rejects.toMatchObject({ name: 'ApiError', status: 401 });
  const error = await clientOf('refused')
    .models.generateContent({ model: 'gemini-9', contents: 'hello', config: {} })
    .catch((thrown: unknown) => thrown as Error);
  expect(JSON.parse((error as Error).message)).toMatchObject({
    error: { code: 422, status: 'INVALID_ARGUMENT' },
  });
  // An error of the provider: it knows no such field.
  const ofProvider = clientOf('refused').models.generateContent({
    model: gemini,
    contents: 'hello',
    config: { httpOptions: { extraBody: { wrong: true } } },
  });
  await expect(ofProvider).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("Unknown parameter: 'wrong'") as string,
  });
});

test.each(['v1', 'v1beta', 'v1alpha'])('it lists models and finds one (%s)', async (apiVersion) => {
  const { models } = clientOf('models', { apiVersion }) as unknown as {
    models: {
      list(of?: object): Promise<AsyncIterable<{ name: string }>>;
      get(of: object): Promise<object>;
    };
  };
  const listed: string[] = [];
  for await (const { name } of await models.list({ config: { pageSize: 7 } })) listed.push(name);
  expect(listed).toContain('models/gemini-2.5-pro');
  expect(new Set(listed).size).toBe(listed.length);
  expect(await models.get({ model: 'gemini-2.5-pro' })).toMatchObject({
    name: 'models/gemini-2.5-pro',
    inputTokenLimit: 1_048_576,
  });
  await expect(models.get({ model: 'of-nobody' })).rejects.toMatchObject({ status: 404 });
  const { text } = await clientOf(apiVersion, { apiVersion }).models.generateContent({
    model: gemini,
    contents: 'Remark 1',
    config: {},
  });
  expect(text).toBe('Noted 1.');
});

test('the program of the page runs its function', async () => {
  const page = await readFile(fileURLToPath(new URL('../../../docs/agents.md', import.meta.url)), 'utf8');
  const [, lines] = /^### Google's Gen AI SDK\n.*?```js\n(.*?)```/ms.exec(page) ?? [];
  const program = join(sdk.folder, 'other-base-url.mjs');
  await writeFile(program, lines!);
  const { stdout } = await runProgram(process.execPath, [program], { server: stack });
  expect(provider.refused).toEqual([]);
  expect(stdout).toBe('It is order-2 damaged.\n');
  expect((await apiOf(stack).thread('orders')).last_seq).toBe(4);
});

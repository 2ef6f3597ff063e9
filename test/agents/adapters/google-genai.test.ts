// @module-tag long
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createSpillway } from '@spillway/google-genai';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOrders } from '../../../examples/orders.ts';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { adapterPage, type AdapterPage } from '../frameworks/adapter-page.js';
import { loadGenAi, type Content, type GenAi } from '../frameworks/google-genai/session.js';
import { needsFramework } from '../frameworks/needs-framework.js';
import { damagedOrderModel } from './damaged-order-model.js';
import { transcriptOf } from './transcript.js';
import { ordersModel } from './adapter-rig.js';

const client = fileURLToPath(new URL('../../../libs/client/dist/agent/index.js', import.meta.url));

let stack: BorrowedStack;
let provider: StubProvider;
let model: ScriptedModel;
let sdk: GenAi;
let page: AdapterPage;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  provider = await startStubProvider({ model: (seen) => model(seen), contextWindow: 128_000 });
});
afterAll(() => provider?.stop());
needsFramework('google-genai', async () => {
  const { folder, ...loaded } = await loadGenAi();
  sdk = loaded;
  page = adapterPage('google-genai', folder);
});

const spillwayOf = () => createSpillway({ baseUrl: stack.url, key: stack.key });
const clientOf = (baseUrl = provider.url) =>
  new sdk.GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl } });
const recordedIn = async (id: string) => transcriptOf(await apiOf(stack).originals(id));
const user = (words: string): Content => ({ role: 'user', parts: [{ text: words }] });
const gemini = 'gemini-3-pro';
const question = 'Which order is damaged?';

test.each([false, true])(
  'a loop that runs the calls itself reads a large result back (streamed: %s)',
  async (isStream) => {
    model = ordersModel;
    const id = `genai-loop-${isStream}`;
    const thread = spillwayOf().thread(id);
    const { models } = clientOf();
    const functionDeclarations = [{ name: 'list_orders', description: 'Lists all orders.' }];
    const config = thread.config({ tools: [{ functionDeclarations }] });
    const contents = [user(question)];
    let words = '';
    for (let calls = [{}] as { id?: string; name?: string }[]; calls.length > 0;) {
      const call = { model: gemini, contents, config };
      const answers = isStream
        ? await models.generateContentStream(call)
        : [await models.generateContent(call)];
      calls = [];
      for await (const answer of answers) {
        calls.push(...(answer.functionCalls ?? []));
        contents.push(answer.candidates![0]!.content!);
        words += answer.candidates![0]!.content!.parts!.map((part) => part.text ?? '').join('');
      }
      const own = calls.filter(({ name }) => name === 'list_orders');
      const parts = own.map(({ id: callId, name }) => ({
        functionResponse: { id: callId, name, response: { output: listOrders() } },
      }));
      if (calls.length > 0)
        contents.push({ role: 'user', parts: [...parts, ...(await thread.readers.callTool(calls))] });
    }
    expect(words).toBe('Damaged: order-1234.');
    expect(provider.refused).toEqual([]);
    expect(Math.max(...provider.accepted)).toBeLessThan(8_000);
    expect(await recordedIn(id)).toEqual([
      `user: ${question}`,
      'call list_orders',
      'call list_orders',
      'result',
      'result',
      'call read_output',
      'result',
      'assistant: Damaged: order-1234.',
    ]);
  },
);

test('a streamed answer that says something before its calls goes back as one content', async () => {
  model = ({ results }) =>
    results.length === 0
      ? { text: 'I look into it.', calls: [{ name: 'list_orders', args: {} }] }
      : { text: `It is ${results[0]!}.` };
  const tool = {
    tool: () => Promise.resolve({ functionDeclarations: [{ name: 'list_orders' }] }),
    callTool: (calls: { id?: string; name?: string }[]) =>
      Promise.resolve(
        calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: 'order-2' } } })),
      ),
  };
  const chat = clientOf().chats.create({
    model: gemini,
    config: spillwayOf()
      .thread('genai-pieces')
      .config({ tools: [tool] }),
  });
  for (const message of [question, 'Sure?'])
    for await (const { candidates } of await chat.sendMessageStream({ message }))
      expect(candidates).toHaveLength(1);
  expect(provider.refused).toEqual([]);
  // The chat has each piece as a content of its own.
  expect(chat.getHistory().length).toBeGreaterThan(8);
  expect(await recordedIn('genai-pieces')).toEqual([
    `user: ${question}`,
    'assistant: I look into it.',
    'call list_orders',
    'result',
    'assistant: It is order-2.',
    'user: Sure?',
    'assistant: It is order-2.',
  ]);
});

/** Runs with a server that answers requests with these bodies, one after the other. */
async function withServer(
  answers: ((response: ServerResponse) => void)[],
  use: (url: string, seen: { contents: Content[]; continuationToken?: string }[]) => Promise<void>,
): Promise<void> {
  const seen: { contents: Content[] }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push(JSON.parse(body) as { contents: Content[] });
      answers[seen.length - 1]!(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const piece = (words: string, more: object) =>
  JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: words }] }, ...more }] });
const whole = (words: string, more: object) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(piece(words, more));
const streamed = (words: string, more: object, breaksOff: boolean) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${piece(words, more)}\r\n\r\n`, () =>
    breaksOff ? response.destroy() : response.end(),
  );
};
const dropped = (response: ServerResponse) => void response.destroy();
const paused = { finishReason: 'CONTINUATION', continuationToken: 'dG9rZW4=' };
const stopped = { finishReason: 'STOP' };

describe.each([
  ['at once', false, [whole('One, ', paused), whole('two.', stopped)]],
  ['in pieces', true, [streamed('One, ', paused, false), streamed('two.', stopped, false)]],
  [
    'in pieces, of which one broke off',
    true,
    [streamed('One, ', { continuationToken: 'dG9rZW4=' }, true), streamed('two.', stopped, false)],
  ],
  [
    'in pieces, of which one was tried again',
    true,
    [streamed('One, ', paused, false), dropped, streamed('two.', stopped, false)],
  ],
])('an answer that the SDK continues (%s)', (name, isStream, answers) => {
  test('is one message, behind what it began with', () =>
    withServer([...answers, whole('Three.', stopped)], async (url, seen) => {
      const id = `genai-continued-${name.replaceAll(/\W+/g, '-')}`;
      const config = spillwayOf().thread(id).config();
      const { models } = clientOf(url);
      const call = { model: gemini, contents: [user('Count.')], config };
      let words = '';
      if (isStream)
        for await (const { candidates } of await models.generateContentStream(call))
          words += candidates?.[0]?.content?.parts?.[0]?.text ?? '';
      else words = (await models.generateContent(call)).text!;
      expect(words).toBe('One, two.');
      const [first, ...others] = seen;
      expect(first!.continuationToken).toBeUndefined();
      expect(others).toEqual(answers.slice(1).map(() => ({ ...first, continuationToken: 'dG9rZW4=' })));
      expect(await recordedIn(id)).toEqual(['user: Count.', 'assistant: One, two.']);
      const contents = [user('Count.'), { role: 'model', parts: [{ text: words }] }, user('And on.')];
      await models.generateContent({ model: gemini, contents, config });
      expect(await recordedIn(id)).toEqual([
        'user: Count.',
        'assistant: One, two.',
        'user: And on.',
        'assistant: Three.',
      ]);
    }));
});

test('an answer that breaks off is not recorded, and the next try is', () =>
  withServer([streamed('One, ', {}, true), whole('One, two.', stopped)], async (url) => {
    const config = spillwayOf().thread('genai-broken').config({ automaticContinuation: false });
    const { models } = clientOf(url);
    const call = { model: gemini, contents: 'Count.', config };
    const read = async () => {
      for await (const { candidates } of await models.generateContentStream(call))
        expect(candidates).toHaveLength(1);
    };
    await expect(read()).rejects.toThrow();
    expect(await recordedIn('genai-broken')).toEqual(['user: Count.']);
    expect((await models.generateContent(call)).text).toBe('One, two.');
    expect(await recordedIn('genai-broken')).toEqual(['user: Count.', 'assistant: One, two.']);
  }));

test.each([
  ['of examples', 'list_orders', () => page.example()],
  ['of the quick start', 'listOrders', () => page.quickStart()],
])('the program %s answers from what its tool returned', async (_, tool, lines) => {
  model = damagedOrderModel(tool);
  const program = (await lines()).replace("thread('orders')", "thread('genai-page')");
  const { stdout } = await page.run(tool, program, {
    args: [`genai-${tool}`],
    server: stack,
    env: { ...process.env, GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: provider.url },
  });
  expect(provider.refused).toEqual([]);
  expect(stdout).toMatch(/^It is order-\d+ damaged\.\n$/);
});

test('a config has the type that the SDK asks for, and takes what it has', async () => {
  const lines = `import { FunctionCallingConfigMode, GoogleGenAI, mcpToTool, type CallableTool, type FunctionCall, type GenerateContentConfig, type GenerateContentResponse, type Part } from '@google/genai';
import type { GeminiContent, GeminiPart, GeminiUsage } from '${client}';
import { createSpillway } from '@spillway/google-genai';
const ai = new GoogleGenAI({ apiKey: '' });
const thread = createSpillway({ baseUrl: '', key: '' }).thread('t');
export const plain: GenerateContentConfig = thread.config();
export const own = (one: GenerateContentConfig): GenerateContentConfig => thread.config(one);
export const callable = (one: CallableTool): GenerateContentConfig => thread.config({ tools: [one, { googleSearch: {} }] });
export const general: GenerateContentConfig = thread.config({ temperature: 0 });
export const chat = ai.chats.create({
  model: '',
  config: thread.config({
    temperature: 0,
    tools: [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: {} }] }],
    toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
    httpOptions: { timeout: 5, fetch },
  }),
});
export const parts = (calls: FunctionCall[]): Promise<Part[]> => thread.readers.callTool(calls);
export const readers: CallableTool = thread.readers;
export const content = ({ candidates }: GenerateContentResponse): GeminiContent => candidates![0]!.content!;
export const part = (one: Part): GeminiPart => one;
export const usage = ({ usageMetadata }: GenerateContentResponse): GeminiUsage => usageMetadata!;
void mcpToTool;
`;
  expect(await page.typeErrors('config', lines)).toBe('');
  expect(await page.typeErrors('quick-start', await page.quickStart())).toBe('');
});

// @module-tag long
import { createSpillway } from '@spillway/adk';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { adapterPage, type AdapterPage } from '../frameworks/adapter-page.js';
import { loadAdk, type Adk, type Event } from '../frameworks/adk/session.js';
import { needsFramework } from '../frameworks/needs-framework.js';
import { damagedOrderModel } from './damaged-order-model.js';
import { transcriptOf } from './transcript.js';

let stack: BorrowedStack;
let provider: StubProvider;
let model: ScriptedModel;
let kit: Adk & { folder: string };
let page: AdapterPage;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  provider = await startStubProvider({ model: (seen) => model(seen), contextWindow: 128_000 });
});
afterAll(() => provider?.stop());
needsFramework('adk', async () => {
  kit = await loadAdk();
  page = adapterPage('adk', kit.folder);
});

const spillwayOf = () => createSpillway({ baseUrl: stack.url, key: stack.key });
const recordedIn = async (id: string) => transcriptOf(await apiOf(stack).originals(id));

/** Runs an agent over one question, and returns what it said. */
async function ask(agent: object, sessionId: string, question: string): Promise<string[]> {
  const sessionService = new kit.InMemorySessionService();
  await sessionService.createSession({ appName: 'tests', userId: 'tests', sessionId });
  const runner = new kit.Runner({ appName: 'tests', agent, sessionService });
  const events: Event[] = [];
  const newMessage = { role: 'user', parts: [{ text: question }] };
  for await (const event of runner.runAsync({ userId: 'tests', sessionId, newMessage })) events.push(event);
  expect(events.flatMap(({ errorMessage }) => errorMessage ?? [])).toEqual([]);
  expect(provider.refused).toEqual([]);
  return events.flatMap(({ content }) => (content?.parts ?? []).flatMap(({ text }) => text ?? []));
}

const agentOf = (name: string, options: object) =>
  new kit.LlmAgent({
    name,
    model: new kit.Gemini({ model: 'gemini-2.5-flash', apiKey: 'test' }),
    generateContentConfig: { httpOptions: { baseUrl: provider.url } },
    ...options,
  });

test('an agent that takes over has a thread of its own, with the conversation from its side', async () => {
  const { callbacks } = spillwayOf();
  const clerk = agentOf('clerk', { description: 'Knows all orders.', ...callbacks });
  const desk = agentOf('desk', { subAgents: [clerk], ...callbacks });
  model = ({ tools, results, asked }) => {
    if (asked.length === 1 && results.length === 0 && tools.includes('transfer_to_agent'))
      return { calls: [{ name: 'transfer_to_agent', args: { agentName: 'clerk' } }] };
    return { text: 'Order 2 is damaged.' };
  };
  expect(await ask(desk, 'adk-two', 'Which order is damaged?')).toEqual(['Order 2 is damaged.']);
  expect(await recordedIn('adk-two')).toEqual(['user: Which order is damaged?', 'call transfer_to_agent']);
  const [question, ...taken] = await recordedIn('adk-two.clerk');
  expect(question).toBe('user: Which order is damaged?');
  expect(taken.at(-1)).toBe('assistant: Order 2 is damaged.');
  expect(taken.join()).toContain('[desk] called tool `transfer_to_agent`');
});

test('the id of a thread may be another, and callbacks of the agent run beside', async () => {
  const { callbacks } = createSpillway({
    baseUrl: stack.url,
    key: stack.key,
    threadId: ({ invocationContext: { session } }) => `tenant-1:${session.id}`,
  });
  const models: unknown[] = [];
  const own = ({ request }: { request: { model?: string } }) => void models.push(request.model);
  model = () => ({ text: 'Hello.' });
  const agent = agentOf('orders', {
    ...callbacks,
    beforeModelCallback: [own, callbacks.beforeModelCallback],
  });
  expect(await ask(agent, 'adk-named', 'hello')).toEqual(['Hello.']);
  expect(models).toEqual(['gemini-2.5-flash']);
  expect(await recordedIn('tenant-1:adk-named')).toEqual(['user: hello', 'assistant: Hello.']);
});

test('a tool of the agent that is called like a reader tool stays its own', async () => {
  const own = new kit.FunctionTool({
    name: 'read_output',
    description: 'Reads a printer.',
    execute: () => 'out of paper',
  });
  model = ({ results }) =>
    results.length === 0 ? { calls: [{ name: 'read_output', args: {} }] } : { text: results[0]! };
  const agent = agentOf('printer', { tools: [own], ...spillwayOf().callbacks });
  expect(await ask(agent, 'adk-own-reader', 'What does it say?')).toEqual(['out of paper']);
});

test.each([
  ['of examples', 'list_orders', () => page.example()],
  ['of the quick start', 'listOrders', () => page.quickStart()],
])('the program %s answers from what its tool returned', async (_, tool, lines) => {
  model = damagedOrderModel(tool);
  const { stdout } = await page.run(tool, await lines(), {
    args: [`adk-${tool}`],
    server: stack,
    env: { ...process.env, GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: provider.url },
  });
  expect(provider.refused).toEqual([]);
  expect(stdout).toMatch(/It is order-\d+ damaged\./);
});

test('the callbacks have the types that the kit asks for, and read what it has', async () => {
  const lines = `import { LlmAgent, type Context, type LlmRequest, type LlmResponse } from '@google/adk';
import { createSpillway } from '@spillway/adk';
import type * as Adk from '@spillway/adk/adk.js';
new LlmAgent({ name: 'orders', ...createSpillway({ baseUrl: '', key: '' }).callbacks });
export const request = (one: LlmRequest): Adk.LlmRequest => one;
export const response = (one: LlmResponse): Adk.LlmResponse => one;
export const context = (one: Context): Adk.Context => one;
`;
  expect(await page.typeErrors('callbacks', lines)).toBe('');
  expect(await page.typeErrors('quick-start', await page.quickStart())).toBe('');
});

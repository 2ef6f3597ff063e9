// @module-tag long
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpillway } from '@spillway/adk';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { loadAdk, type Adk, type Event } from '../frameworks/adk/session.js';
import { maxInstallMs, missingFramework } from '../frameworks/install-framework.js';
import { typeErrorsOf } from '../frameworks/type-errors.js';
import { transcriptOf } from './transcript.js';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));

let stack: BorrowedStack;
let provider: StubProvider;
let model: ScriptedModel;
let missing: string | null;
let kit: Adk & { folder: string };
beforeAll(async () => {
  stack = await borrowedStack('whole');
  provider = await startStubProvider({ model: (seen) => model(seen), contextWindow: 128_000 });
  missing = await missingFramework('adk');
  if (missing === null) kit = await loadAdk();
}, maxInstallMs);
afterAll(() => provider.stop());
beforeEach(({ skip }) => {
  if (missing !== null) skip(missing);
});

const spillwayOf = () => createSpillway({ baseUrl: stack.url, key: stack.key });
const recordedIn = async (id: string) => transcriptOf(await apiOf(stack).originals(id));
const pageLines = async () => {
  const page = await readFile(join(repository, 'libs/adapters/adk/README.md'), 'utf8');
  return /```js\n(.*?)```/s.exec(page)![1]!;
};

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
  ['of examples', 'list_orders', () => readFile(join(repository, 'examples/adk.mjs'), 'utf8')],
  ['of the quick start', 'listOrders', pageLines],
])('the program %s answers from what its tool returned', async (_, tool, lines) => {
  model = ({ results }) =>
    results.length === 0
      ? { calls: [{ name: tool, args: {} }] }
      : { text: `It is ${/order-\d+ damaged/.exec(results[0]!)?.[0]}.` };
  const program = join(kit.folder, `${tool}.mjs`);
  await writeFile(program, await lines());
  // The program finds our packages above it, also where the folder of installed frameworks is a link.
  const { stdout } = await run(process.execPath, ['--preserve-symlinks-main', program, `adk-${tool}`], {
    env: {
      ...process.env,
      SPILLWAY_URL: stack.url,
      SPILLWAY_KEY: stack.key,
      GEMINI_API_KEY: 'test',
      GOOGLE_GEMINI_BASE_URL: provider.url,
    },
  });
  expect(provider.refused).toEqual([]);
  expect(stdout).toMatch(/It is order-\d+ damaged\./);
});

test('the callbacks have the types that the kit asks for, and read what it has', async () => {
  const file = join(kit.folder, 'callbacks.mts');
  await writeFile(
    file,
    `import { LlmAgent, type Context, type LlmRequest, type LlmResponse } from '@google/adk';
import { createSpillway } from '${repository}libs/adapters/adk/dist/index.js';
import type * as Adk from '${repository}libs/adapters/adk/dist/adk.js';
new LlmAgent({ name: 'orders', ...createSpillway({ baseUrl: '', key: '' }).callbacks });
export const request = (one: LlmRequest): Adk.LlmRequest => one;
export const response = (one: LlmResponse): Adk.LlmResponse => one;
export const context = (one: Context): Adk.Context => one;
`,
  );
  expect(await typeErrorsOf(file)).toBe('');
  const start = join(kit.folder, 'quick-start.mts');
  await writeFile(
    start,
    (await pageLines()).replace("'@spillway/adk'", `'${repository}libs/adapters/adk/dist/index.js'`),
  );
  expect(await typeErrorsOf(start)).toBe('');
});

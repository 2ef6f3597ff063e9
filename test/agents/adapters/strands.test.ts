// @module-tag long
import { createSpillway } from '@spillway/strands';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { adapterPage, type AdapterPage } from '../frameworks/adapter-page.js';
import { needsFramework } from '../frameworks/needs-framework.js';
import { loadStrands, type Strands } from '../frameworks/strands/session.js';
import { damagedOrderModel } from './damaged-order-model.js';
import { transcriptOf } from './transcript.js';

let stack: BorrowedStack;
let provider: StubProvider;
let model: ScriptedModel;
let sdk: Strands;
let page: AdapterPage;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  provider = await startStubProvider({ model: (seen) => model(seen), contextWindow: 128_000 });
});
afterAll(() => provider?.stop());
needsFramework('strands', async () => {
  sdk = await loadStrands();
  page = adapterPage('strands', sdk.folder);
});

test('an agent whose conversation manager drops old messages goes on, and the thread has all of them', async () => {
  model = ({ asked }) => ({ text: `Answer to ${asked.at(-1)}` });
  const agent = new sdk.Agent({
    model: new sdk.OpenAIModel({
      modelId: 'gpt-4o-mini',
      apiKey: 'sk-test',
      clientConfig: { baseURL: `${provider.url}/v1` },
    }),
    conversationManager: new sdk.SlidingWindowConversationManager({ windowSize: 4 }),
    plugins: [createSpillway({ baseUrl: stack.url, key: stack.key, sdk }).plugin('strands-window')],
    printer: false,
  });
  const questions = Array.from({ length: 6 }, (_, n) => `question ${n + 1}`);
  for (const question of questions) await agent.invoke(question);
  expect(provider.refused).toEqual([]);
  expect(agent.messages.length).toBeLessThan(8);
  expect(transcriptOf(await apiOf(stack).originals('strands-window'))).toEqual(
    questions.flatMap((question) => [`user: ${question}`, `assistant: Answer to ${question}`]),
  );
  // The model was sent them, too: the thread is small.
  expect((await apiOf(stack).context('strands-window')).messages).toHaveLength(12);
});

test.each([
  ['of examples', 'list_orders', () => page.example()],
  ['of the quick start', 'listOrders', () => page.quickStart()],
])('the program %s answers from what its tool returned', async (_, tool, lines) => {
  model = damagedOrderModel(tool);
  const program = (await lines()).replace("plugin('orders')", "plugin('strands-page')");
  const { stdout } = await page.run(tool, program, {
    args: [`strands-${tool}`],
    server: stack,
    env: { ...process.env, OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${provider.url}/v1` },
  });
  expect(provider.refused).toEqual([]);
  expect(stdout).toMatch(/^It is order-\d+ damaged\.\n$/);
});

test('the plugin has the type that the SDK asks for, and reads what it has', async () => {
  const lines = `import { Agent, InvokeModelStage, Message, tool, type InvokeModelContext, type InvokeModelResult, type MessageData } from '@strands-agents/sdk';
import { createSpillway } from '@spillway/strands';
import type * as Strands from '@spillway/strands/sdk.js';
const spillway = createSpillway({ baseUrl: '', key: '', sdk: { InvokeModelStage, Message, tool } });
new Agent({ plugins: [spillway.plugin('t')] });
export const context = (one: InvokeModelContext): Strands.ModelCallContext => one;
export const result = (one: InvokeModelResult): Strands.ModelCallResult => one;
export const written = (one: Strands.MessageJson): MessageData['role'] => one.role;
`;
  expect(await page.typeErrors('plugin', lines)).toBe('');
  expect(await page.typeErrors('quick-start', await page.quickStart())).toBe('');
});

// @module-tag long
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpillway } from '@spillway/strands';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { maxInstallMs, missingFramework } from '../frameworks/install-framework.js';
import { loadStrands, type Strands } from '../frameworks/strands/session.js';
import { typeErrorsOf } from '../frameworks/type-errors.js';
import { transcriptOf } from './transcript.js';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));

let stack: BorrowedStack;
let provider: StubProvider;
let model: ScriptedModel;
let missing: string | null;
let sdk: Strands;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  provider = await startStubProvider({ model: (seen) => model(seen), contextWindow: 128_000 });
  missing = await missingFramework('strands');
  if (missing === null) sdk = await loadStrands();
}, maxInstallMs);
afterAll(() => provider.stop());
beforeEach(({ skip }) => {
  if (missing !== null) skip(missing);
});

const pageLines = async () => {
  const page = await readFile(join(repository, 'libs/adapters/strands/README.md'), 'utf8');
  return /```js\n(.*?)```/s.exec(page)![1]!;
};

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
  ['of examples', 'list_orders', () => readFile(join(repository, 'examples/strands.mjs'), 'utf8')],
  ['of the quick start', 'listOrders', pageLines],
])('the program %s answers from what its tool returned', async (_, tool, lines) => {
  model = ({ results }) =>
    results.length === 0
      ? { calls: [{ name: tool, args: {} }] }
      : { text: `It is ${/order-\d+ damaged/.exec(results[0]!)?.[0]}.` };
  const program = join(sdk.folder, `${tool}.mjs`);
  await writeFile(program, (await lines()).replace("plugin('orders')", "plugin('strands-page')"));
  // The program finds our packages above it, also where the folder of installed frameworks is a link.
  const { stdout } = await run(process.execPath, ['--preserve-symlinks-main', program, `strands-${tool}`], {
    env: {
      ...process.env,
      SPILLWAY_URL: stack.url,
      SPILLWAY_KEY: stack.key,
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: `${provider.url}/v1`,
    },
  });
  expect(provider.refused).toEqual([]);
  expect(stdout).toMatch(/^It is order-\d+ damaged\.\n$/);
});

test('the plugin has the type that the SDK asks for, and reads what it has', async () => {
  const file = join(sdk.folder, 'plugin.mts');
  await writeFile(
    file,
    `import { Agent, InvokeModelStage, Message, tool, type InvokeModelContext, type InvokeModelResult, type MessageData } from '@strands-agents/sdk';
import { createSpillway } from '${repository}libs/adapters/strands/dist/index.js';
import type * as Strands from '${repository}libs/adapters/strands/dist/sdk.js';
const spillway = createSpillway({ baseUrl: '', key: '', sdk: { InvokeModelStage, Message, tool } });
new Agent({ plugins: [spillway.plugin('t')] });
export const context = (one: InvokeModelContext): Strands.ModelCallContext => one;
export const result = (one: InvokeModelResult): Strands.ModelCallResult => one;
export const written = (one: Strands.MessageJson): MessageData['role'] => one.role;
`,
  );
  expect(await typeErrorsOf(file)).toBe('');
  const start = join(sdk.folder, 'quick-start.mts');
  const dist = `'${repository}libs/adapters/strands/dist/index.js'`;
  await writeFile(start, (await pageLines()).replace("'@spillway/strands'", dist));
  expect(await typeErrorsOf(start)).toBe('');
});

// @module-tag long
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpillway, type ClaudeAgentThread } from '@spillway/claude-agent';
import {
  apiOf,
  startProxy,
  startStack,
  startStubProvider,
  type ScriptedCall,
  type ScriptedModel,
  type Stack,
  type StubProvider,
} from '@spillway/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { listOrders } from '../../../examples/orders.ts';
import { adapterPage, type AdapterPage } from '../frameworks/adapter-page.js';
import {
  environmentOf,
  loadSdk,
  type ClaudeAgentSdk,
  type QueryMessage,
} from '../frameworks/claude-agent/query.js';
import { needsFramework } from '../frameworks/needs-framework.js';
import { transcriptOf } from './transcript.js';

const model = 'claude-sonnet-4-5';

let script: ScriptedModel;
let provider: StubProvider;
let stack: Stack;
let sdk: ClaudeAgentSdk;
let page: AdapterPage;
needsFramework('claude-agent', async () => {
  const loaded = await loadSdk();
  sdk = loaded;
  page = adapterPage('claude-agent', loaded.folder);
  provider = await startStubProvider({ model: (seen) => script(seen), contextWindow: 60_000 });
  stack = await startStack({
    env: {
      SPILLWAY_LLM_PROVIDER: 'anthropic',
      SPILLWAY_LLM_BASE_URL: `${provider.url}/v1`,
      SPILLWAY_LLM_API_KEY: 'sk-of-the-server',
      SPILLWAY_LLM_MODEL: model,
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.stop();
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-claude-agent-'));
  provider.accepted.length = 0;
  orders = lines;
  return async () => {
    await rm(folder, { recursive: true });
    expect(provider.refused).toEqual([]);
  };
});

const threadOf = (id: string, options: object = {}): ClaudeAgentThread<object> =>
  createSpillway({ baseUrl: stack.url, key: stack.key, sdk, ...options }).thread(id);

/** A large result that the program sends: it stores one of more than 50,000 characters in a file of its own. */
const lines = Array.from(
  { length: 900 },
  (_, i) => `order-${i} ${i === 777 ? 'damaged' : 'shipped'} by train`,
).join('\n');
let orders: string;
const ordersTool = () =>
  sdk.createSdkMcpServer({
    name: 'orders',
    alwaysLoad: true,
    tools: [
      sdk.tool('list_orders', 'Lists all orders.', { n: z.number() } as never, () =>
        Promise.resolve({ content: [{ type: 'text', text: orders }] }),
      ) as never,
    ],
  });

/** Runs a query of the real program, with nothing of its own but one tool. Returns all its messages. */
async function asked(
  prompt: string,
  options: { mcpServers?: object; allowedTools?: string[] },
): Promise<QueryMessage[]> {
  const output: QueryMessage[] = [];
  const query = sdk.query({
    prompt,
    options: {
      cwd: folder,
      model,
      systemPrompt: 'You answer questions about orders.',
      settingSources: [],
      tools: ['Bash'],
      env: environmentOf(folder, provider.url),
      ...options,
      mcpServers: { orders: ordersTool(), ...options.mcpServers },
      allowedTools: ['Bash', 'mcp__orders', ...(options.allowedTools ?? [])],
    },
  });
  for await (const message of query) output.push(message);
  return output;
}

const answerOf = (output: readonly QueryMessage[]): string | undefined =>
  output.findLast(({ type }) => type === 'result')?.result;

/** Makes a call, and finds the damaged order in what was stored of its result. */
const findsIn =
  (call: ScriptedCall, reader: string, args: object): ScriptedModel =>
  ({ results, asked: questions }) => {
    if (questions.at(-1)!.endsWith('hello')) return { text: 'Hello.' };
    if (results.length === 0) return { calls: [call] };
    const id = /out_[0-9a-f]{32}/.exec(results[0]!)?.[0] ?? 'none';
    if (results.length === 1) return { calls: [{ name: `mcp__spillway__${reader}`, args: { id, ...args } }] };
    return { text: `Damaged: ${/order-\d+/.exec(results[1]!)?.[0] ?? 'not found'}.` };
  };
const listsOrders = { name: 'mcp__orders__list_orders', args: { n: 1 } };
const grep = ['grep_output', { pattern: 'damaged' }] as const;

/** The program puts reminders before a question. */
const spokenIn = (messages: readonly unknown[]) =>
  transcriptOf(messages).filter((line) => !line.startsWith('user: <system-reminder>'));

test('a proxied session answers from an output that never was in its context, and goes on when it is resumed', async () => {
  script = findsIn(listsOrders, ...grep);
  const options = threadOf('claude-proxied').proxied(environmentOf(folder, provider.url));
  const output = await asked('Which order is damaged?', options);
  expect(answerOf(output)).toBe('Damaged: order-777.');
  expect(Math.max(...provider.accepted)).toBeLessThan(10_000);
  const resume = output[0]!.session_id;
  expect(answerOf(await asked('hello', { ...options, resume } as typeof options))).toBe('Hello.');
  const originals = await apiOf(stack).originals('claude-proxied');
  expect(spokenIn(originals)).toEqual([
    'user: Which order is damaged?',
    ...['call mcp__orders__list_orders', 'result', 'call mcp__spillway__grep_output', 'result'],
    'assistant: Damaged: order-777.',
    ...['user: hello', 'assistant: Hello.'],
  ]);
  expect(JSON.stringify(originals)).toContain('order-899');
});

test('a proxied session is folded in the middle of a run', async () => {
  const policy = {
    context: { context_window: 12_000, response_reserve: 500 },
    summary: { provider: 'extractive' },
  };
  await apiOf(stack).call('PUT', '/v1/threads/claude-fold', { policy });
  script = ({ step }) => {
    const command = `for i in $(seq 150); do echo "note $i of ${step}: nothing was damaged"; done`;
    return step < 9 ? { calls: [{ name: 'Bash', args: { command } }] } : { text: 'All read.' };
  };
  const options = threadOf('claude-fold').proxied(environmentOf(folder, provider.url));
  expect(answerOf(await asked('Read the notes.', options))).toBe('All read.');
  const { generation } = (await apiOf(stack).thread('claude-fold')).compaction;
  expect(generation).toBeGreaterThan(0);
  expect(provider.accepted).toHaveLength(10);
  const recorded = spokenIn(await apiOf(stack).originals('claude-fold'));
  const steps = Array.from({ length: 9 }, () => ['call Bash', 'result']).flat();
  expect(recorded).toEqual(['user: Read the notes.', ...steps, 'assistant: All read.']);
});

test('a proxied session has no title that the program asked for, and system messages in places that Claude accepts', async () => {
  const policy = {
    context: { context_window: 16_000, response_reserve: 500 },
    summary: { provider: 'extractive' },
  };
  await apiOf(stack).call('PUT', '/v1/threads/claude-system', { policy });
  script = ({ step }) => {
    const command = `for i in $(seq 150); do echo "note $i of ${step}: nothing was damaged"; done`;
    return step < 9 ? { calls: [{ name: 'Bash', args: { command } }] } : { text: 'All read.' };
  };
  // As with a user: the program may call the model for what it does beside the conversation.
  const { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: _, ...environment } = environmentOf(folder, provider.url);
  const options = { ...threadOf('claude-system').proxied(environment), model: 'claude-opus-5-5' };
  expect(answerOf(await asked('Read the notes.', options))).toBe('All read.');
  expect(provider.accepted).toHaveLength(10);
  expect((await apiOf(stack).thread('claude-system')).compaction.generation).toBeGreaterThan(0);
  const originals = await apiOf(stack).originals('claude-system');
  expect(originals).toContainEqual(expect.objectContaining({ role: 'system' }));
  const steps = Array.from({ length: 9 }, () => ['call Bash', 'result']).flat();
  const spoken = spokenIn(originals.filter((message) => (message as { role: string }).role !== 'system'));
  expect(spoken).toEqual(['user: Read the notes.', ...steps, 'assistant: All read.']);
});

test('a proxied session has no tools that ask the model themselves', async () => {
  let offered: readonly string[] = [];
  script = ({ tools }) => {
    offered = tools;
    return { text: 'Hello.' };
  };
  const tools = { tools: ['Bash', 'Task', 'WebFetch', 'WebSearch'] };
  const options = threadOf('claude-tools').proxied(environmentOf(folder, provider.url));
  expect(answerOf(await asked('hello', { ...tools, ...options }))).toBe('Hello.');
  expect(offered).toContain('Bash');
  expect(offered.filter((name) => /^(Task|Agent|WebFetch|WebSearch)$/.test(name))).toEqual([]);
});

test('a mirrored session has stubs in place of large results, reads them back, and is recorded', async () => {
  script = findsIn(listsOrders, 'read_output', { path: '$[?@.state=="damaged"].id' });
  orders = listOrders();
  const output = await asked('Which order is damaged?', threadOf('claude-mirrored').mirrored());
  expect(answerOf(output)).toBe('Damaged: order-1234.');
  expect(Math.max(...provider.accepted)).toBeLessThan(10_000);
  expect(output.filter(({ subtype }) => subtype === 'mirror_error')).toEqual([]);
  expect(spokenIn(await apiOf(stack).originals('claude-mirrored'))).toEqual([
    'user: Which order is damaged?',
    ...['call mcp__orders__list_orders', 'result', 'call mcp__spillway__read_output', 'result'],
    'assistant: Damaged: order-1234.',
  ]);
  const resume = { resume: output[0]!.session_id, ...threadOf('claude-mirrored').mirrored() };
  expect(answerOf(await asked('hello', resume))).toBe('Hello.');
  const { messages } = await apiOf(stack).context('claude-mirrored');
  expect(spokenIn(messages).slice(-2)).toEqual(['user: hello', 'assistant: Hello.']);
  expect(await apiOf(stack).thread('claude-mirrored')).toMatchObject({ model, last_seq: 8 });
});

test('the output of a command leaves the context of a mirrored session', async () => {
  script = findsIn({ name: 'Bash', args: { command: 'head -n 800 orders.txt' } }, ...grep);
  // The program itself shortens one of more than 30,000 characters.
  await writeFile(join(folder, 'orders.txt'), lines);
  const output = await asked('Which order is damaged?', threadOf('claude-command').mirrored());
  expect(answerOf(output)).toBe('Damaged: order-777.');
  expect(Math.max(...provider.accepted)).toBeLessThan(10_000);
});

test('a mirrored session of more messages than a request may have is recorded whole, and once', async () => {
  const entries = Array.from({ length: 1_200 }, (_, i) => {
    const role = i % 2 ? 'assistant' : 'user';
    return { type: role, uuid: `line-${i}`, message: { role, content: `Message ${i}.` } };
  });
  const { sessionStore } = threadOf('claude-long').mirrored();
  const session = { projectKey: 'p', sessionId: 's' };
  await sessionStore.append(session, entries);
  await sessionStore.append(session, entries);
  const originals = await apiOf(stack).originals('claude-long');
  expect(spokenIn(originals)).toEqual(entries.map(({ type, message }) => `${type}: ${message.content}`));
});

test('a mirrored session goes on while Spillway is down, and the program reports what was not recorded', async () => {
  script = ({ results }) =>
    results.length === 0
      ? { calls: [{ name: 'mcp__orders__list_orders', args: { n: 1 } }] }
      : { text: `${results[0]!.includes('order-899')} result` };
  const { hostname: host, port } = new URL(stack.url);
  const network = await startProxy({ host, port: Number(port) });
  await network.set('reset');
  const logged: string[] = [];
  try {
    const down = {
      baseUrl: network.through(stack.url),
      maxRetries: 0,
      log: (line: string) => logged.push(line),
    };
    const output = await asked('Which order is damaged?', threadOf('claude-down', down).mirrored());
    expect(answerOf(output)).toBe('true result');
    expect(logged).toEqual([expect.stringContaining('Spillway did not store a result')]);
    expect(output.some(({ subtype }) => subtype === 'mirror_error')).toBe(true);
  } finally {
    await network.stop();
  }
});

test.each([
  ['of examples', 'orders', () => page.example()],
  ['of the quick start', 'quick-start', () => page.quickStart()],
])('the program %s runs', async (_, id, lines) => {
  script = () => ({ text: 'Nothing.' });
  const program = (await lines()).replace("thread('orders')", `thread('${id}')`);
  const env = { ...environmentOf(folder, 'http://127.0.0.1:9'), ANTHROPIC_MODEL: model };
  const { stdout } = await page.run(id, program, { server: stack, cwd: folder, env });
  expect(stdout).toBe('Nothing.\n');
  expect(spokenIn(await apiOf(stack).originals(id))).toContain('assistant: Nothing.');
});

test('the options have the types that the SDK asks for', async () => {
  const lines = `import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { createSpillway } from '@spillway/claude-agent';
const thread = createSpillway({ baseUrl: '', key: '', sdk: { createSdkMcpServer, tool } }).thread('t');
query({ prompt: '', options: thread.proxied(process.env) });
query({ prompt: '', options: thread.mirrored() });
`;
  expect(await page.typeErrors('options', lines)).toBe('');
});

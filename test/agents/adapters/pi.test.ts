// @module-tag long
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSpillway } from '@spillway/pi';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { adapterPage } from '../frameworks/adapter-page.js';
import { needsFramework } from '../frameworks/needs-framework.js';
import { loadPi, openSession, type Manager } from '../frameworks/pi/session.js';
import { runProgram } from '../frameworks/run-program.js';
import { transcriptOf } from './transcript.js';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

let stack: BorrowedStack;
let installed: string;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});
needsFramework('pi', async () => {
  installed = (await loadPi()).folder;
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-pi-'));
  return () => rm(folder, { recursive: true });
});

/** A large result that pi itself does not shorten: fewer than 2,000 lines and 50 KB. */
const orders = Array.from(
  { length: 900 },
  (_, i) => `order-${i} customer${(i * 7919) % 500} ${i === 777 ? 'damaged' : 'shipped'} left at the door`,
).join('\n');

/** Reads the orders with pi's own tool, and looks for the damaged one in what was stored of them. */
const readsOrders: ScriptedModel = ({ results }) => {
  if (results.length === 0) return { calls: [{ name: 'read', args: { path: 'orders.txt' } }] };
  const id = /out_[0-9a-f]{32}/.exec(results[0]!)?.[0] ?? 'none';
  if (results.length === 1) return { calls: [{ name: 'grep_output', args: { id, pattern: 'damaged' } }] };
  return { text: `Damaged: ${/order-\d+/.exec(results[1]!)?.[0] ?? 'not found'}.` };
};

async function withProvider(model: ScriptedModel, use: (provider: StubProvider) => Promise<void>) {
  const provider = await startStubProvider({ model, contextWindow: 128_000 });
  try {
    await use(provider);
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
  }
}

test('the program `pi` with the extension of examples answers from an output that never was in its context', () =>
  withProvider(readsOrders, async (provider) => {
    await writeFile(join(folder, 'orders.txt'), orders);
    const stub = {
      baseUrl: `${provider.url}/v1`,
      apiKey: 'sk-test',
      api: 'openai-completions',
      models: [{ id: 'gpt-4o-mini', contextWindow: 128_000, maxTokens: 500 }],
    };
    await writeFile(join(folder, 'models.json'), JSON.stringify({ providers: { stub } }));
    const program = join(installed, 'node_modules/@earendil-works/pi-coding-agent/dist/cli.js');
    const options = ['--offline', '--provider', 'stub', '--model', 'gpt-4o-mini'];
    const extension = ['--no-extensions', '-e', join(repository, 'examples/pi-extension.ts')];
    const session = ['--session-dir', folder, '--session-id', 'pi-program'];
    const asked = ['-p', 'Which order is damaged?'];
    const { stdout, stderr } = await runProgram(
      process.execPath,
      [program, ...options, ...extension, ...session, ...asked],
      { server: stack, cwd: folder, env: { ...process.env, PI_CODING_AGENT_DIR: folder } },
    );
    expect(stderr).not.toMatch(/error/i);
    expect(stdout.trim()).toBe('Damaged: order-777.');
    expect(Math.max(...provider.accepted)).toBeLessThan(6_000);
    const originals = await apiOf(stack).originals('pi-program');
    expect(transcriptOf(originals)).toEqual([
      'user: Which order is damaged?',
      ...['call read', 'result', 'call grep_output', 'result'],
      'assistant: Damaged: order-777.',
    ]);
    expect(JSON.stringify(originals)).toContain('order-899');
  }));

const hello: ScriptedModel = ({ asked }) => ({ text: `Hello ${asked.length}.` });

/** A process that opens a session of a file. */
async function opened(manager: Manager, provider: StubProvider, compaction?: object) {
  const spillway = createSpillway({ baseUrl: stack.url, key: stack.key, waitMs: 5_000 });
  const session = await openSession({
    manager,
    extensions: [spillway.extension],
    providerUrl: provider.url,
    model: 'gpt-4o-mini',
    contextWindow: 128_000,
    tools: [],
    ...(compaction ? { compaction } : {}),
  });
  const errors: string[] = [];
  await session.bindExtensions({ onError: ({ error }) => errors.push(error) });
  return { session, errors };
}

test('a session that goes back in its tree rewinds its thread, also when another process opened its file', () =>
  withProvider(hello, async (provider) => {
    const { SessionManager } = await loadPi();
    const first = SessionManager.create(folder, folder, { id: 'pi-tree' });
    const one = await opened(first, provider);
    for (const text of ['one', 'two']) await one.session.prompt(text);
    one.session.dispose();
    const manager = SessionManager.open(first.getSessionFile()!);
    const two = await opened(manager, provider);
    const answer = manager.getBranch().find(({ message }) => message?.role === 'assistant')!;
    await two.session.navigateTree(answer.id);
    await two.session.prompt('three');
    two.session.dispose();
    const { messages } = await apiOf(stack).context('pi-tree');
    expect(transcriptOf(messages)).toEqual([
      ...['user: one', 'assistant: Hello 1.'],
      ...['user: three', 'assistant: Hello 2.'],
    ]);
    expect([...one.errors, ...two.errors]).toEqual([]);
  }));

const longAnswer = (n: number) => `Part ${n}. ${`The cart of customer ${n} is whole. `.repeat(150)}`;

test('a compaction of pi has the summary of the thread, and the session goes on and back behind it', () =>
  withProvider(
    ({ step }) => ({ text: longAnswer(step) }),
    async (provider) => {
      const policy = { context: { context_window: 8_000, response_reserve: 500 } };
      await apiOf(stack).call('PUT', '/v1/threads/pi-compact', { policy });
      const { SessionManager } = await loadPi();
      const manager = SessionManager.create(folder, folder, { id: 'pi-compact' });
      const compaction = { enabled: false, reserveTokens: 500, keepRecentTokens: 1_000 };
      const { session, errors } = await opened(manager, provider, compaction);
      for (let n = 0; n < 12; n++) await session.prompt(`Write part ${n}.`);
      const asked = provider.accepted.length;
      const { summary, firstKeptEntryId } = await session.compact();
      expect(provider.accepted).toHaveLength(asked);
      const context = await apiOf(stack).context('pi-compact');
      expect(context.summary).not.toBeNull();
      expect(JSON.stringify(context.messages)).toContain(JSON.stringify(summary).slice(1, -1));
      const kept = manager.getBranch().find(({ id }) => id === firstKeptEntryId)!;
      const { to_seq: covered } = context.summary!;
      const originals = await apiOf(stack).originals('pi-compact');
      expect(transcriptOf([kept.message])).toEqual(transcriptOf([originals[covered]]));

      await session.prompt('Write the last part.');
      expect(transcriptOf(await apiOf(stack).originals('pi-compact'))).toHaveLength(26);

      await session.prompt('Write one too many.');
      const answers = manager.getBranch().filter(({ message }) => message?.role === 'assistant');
      await session.navigateTree(answers.at(-2)!.id);
      await session.prompt('Write the appendix.');
      session.dispose();
      const after = await apiOf(stack).originals('pi-compact');
      const questions = transcriptOf(after).filter((line) => line.startsWith('user: '));
      const written = Array.from({ length: 12 }, (_, n) => `user: Write part ${n}.`);
      const since = ['user: Write the last part.', 'user: Write one too many.', 'user: Write the appendix.'];
      expect(questions).toEqual([...written, ...since]);
      const shown = transcriptOf((await apiOf(stack).context('pi-compact')).messages);
      expect(shown).not.toContain('user: Write one too many.');
      expect(shown).toContain('user: Write the appendix.');
      expect(errors).toEqual([]);
    },
  ));

test('a thread without a summary leaves the compaction to pi', () =>
  withProvider(
    ({ step }) => ({ text: longAnswer(step) }),
    async (provider) => {
      const { SessionManager } = await loadPi();
      const manager = SessionManager.create(folder, folder, { id: 'pi-own-summary' });
      const compaction = { enabled: false, reserveTokens: 500, keepRecentTokens: 1_000 };
      const { session, errors } = await opened(manager, provider, compaction);
      for (let n = 0; n < 3; n++) await session.prompt(`Write part ${n}.`);
      const asked = provider.accepted.length;
      expect((await session.compact()).summary).toContain('Part');
      expect(provider.accepted.length).toBeGreaterThan(asked);
      session.dispose();
      expect(errors).toEqual([]);
    },
  ));

test('a refused request to Spillway stops the run before the model is called', () =>
  withProvider(hello, async (provider) => {
    const { SessionManager } = await loadPi();
    const { extension } = createSpillway({ baseUrl: stack.url, key: 'wrong' });
    const session = await openSession({
      manager: SessionManager.create(folder, folder, { id: 'pi-refused' }),
      extensions: [extension],
      providerUrl: provider.url,
      model: 'gpt-4o-mini',
      contextWindow: 128_000,
      tools: [],
    });
    const errors: string[] = [];
    await session.bindExtensions({ onError: ({ error }) => errors.push(error) });
    await session.prompt('hello');
    session.dispose();
    expect(errors).toEqual([expect.stringMatching(/key/i)]);
    const aborted = { stopReason: 'error', errorMessage: 'This operation was aborted', content: [] };
    expect(session.messages.at(-1)).toMatchObject(aborted);
    expect(provider.accepted).toEqual([]);
  }));

test('the extension has the type that pi asks for, and reads what pi has', async () => {
  const lines = `import type * as Pi from '@earendil-works/pi-coding-agent';
import { createSpillway } from '@spillway/pi';
import type { Entry, PiContext, PiMessage } from '@spillway/pi/pi.js';
export default createSpillway({ baseUrl: '', key: '' }).extension satisfies Pi.ExtensionFactory;
export const messages = (event: Pi.ContextEvent): PiMessage[] => event.messages;
export const entries = (event: Pi.SessionBeforeCompactEvent): Entry[] => event.branchEntries;
export const context = (context: Pi.ExtensionContext): PiContext => context;
`;
  expect(await adapterPage('pi', installed).typeErrors('extension', lines)).toBe('');
});

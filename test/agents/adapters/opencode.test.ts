// @module-tag long
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiOf, startStubProvider, type ScriptedModel, type StubProvider } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../../borrowed-stack.js';
import { adapterPage } from '../frameworks/adapter-page.js';
import { needsFramework } from '../frameworks/needs-framework.js';
import {
  configOf,
  environmentOf,
  loadOpencode,
  prepareHome,
  startServer,
  type Entry,
  type OpencodeServer,
} from '../frameworks/opencode/server.js';
import { runProgram } from '../frameworks/run-program.js';
import { transcriptOf } from './transcript.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

let stack: BorrowedStack;
let server: OpencodeServer | undefined;
let opencode: Awaited<ReturnType<typeof loadOpencode>>;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});
afterAll(() => server?.stop());
needsFramework(
  'opencode',
  async () => {
    opencode = await loadOpencode();
  },
  loadOpencode,
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-opencode-'));
  return () => rm(folder, { recursive: true });
});

/** Writes an `opencode.json` with the plugin of examples. */
async function withProject(
  model: ScriptedModel,
  use: (provider: StubProvider) => Promise<void>,
): Promise<void> {
  const provider = await startStubProvider({ model, contextWindow: 128_000 });
  const plugin = [`file://${join(repository, 'examples/opencode-plugin.ts')}`];
  await writeFile(
    join(folder, 'opencode.json'),
    JSON.stringify(configOf(provider.url, 'gpt-4o-mini', { plugin })),
  );
  try {
    await use(provider);
    expect(provider.refused).toEqual([]);
  } finally {
    await provider.stop();
  }
}

/** A large file that opencode itself does not shorten: fewer than 2,000 lines and 50 KB. */
const orders = Array.from(
  { length: 700 },
  (_, i) => `order-${i} customer${(i * 7919) % 500} ${i === 555 ? 'damaged' : 'shipped'} left at the door`,
).join('\n');

test('the program `opencode run` with the plugin of examples answers from an output that never was in its context', () => {
  /** Reads the orders with opencode's own tool, and looks for the damaged one in what was stored of them. */
  const model: ScriptedModel = ({ results, asked }) => {
    if (asked[0]!.startsWith('Generate a title')) return { text: 'Orders' };
    if (results.length === 0)
      return { calls: [{ name: 'read', args: { filePath: join(folder, 'orders.txt') } }] };
    const id = /out_[0-9a-f]{32}/.exec(results[0]!)?.[0] ?? 'none';
    if (results.length === 1) return { calls: [{ name: 'grep_output', args: { id, pattern: 'damaged' } }] };
    return { text: `Damaged: ${/order-\d+/.exec(results[1]!)?.[0] ?? 'not found'}.` };
  };
  return withProject(model, async (provider) => {
    await writeFile(join(folder, 'orders.txt'), orders);
    const home = join(folder, 'home');
    await prepareHome(home);
    const asked = ['run', '--format', 'json', 'Which order is damaged?'];
    const { stdout } = await runProgram(opencode.program, asked, {
      server: stack,
      cwd: folder,
      env: environmentOf(home),
    });
    expect(stdout).toContain('Damaged: order-555.');
    const id = /"sessionID":"(ses_\w+)"/.exec(stdout)![1]!;
    // A call of the model for opencode's own title is not of the thread, and opencode waits for the last answer.
    const originals = await apiOf(stack).originals(id);
    expect(transcriptOf(originals).slice(1)).toEqual([
      ...['call read', 'result', 'call grep_output', 'result'],
      'assistant: Damaged: order-555.',
    ]);
    expect(JSON.stringify(originals)).toContain('order-699');
    const { system, tools } = await apiOf(stack).thread(id);
    expect(system).toContain(`Working directory: ${folder}`);
    for (const name of ['read', 'bash', 'grep_output'])
      expect(JSON.stringify(tools)).toContain(`"name":"${name}"`);
    expect(JSON.stringify(tools)).not.toContain('"name":"invalid"');
    // The last call has the file's stub: opencode's prompt and tools are most of it.
    expect(provider.accepted.at(-1)! - provider.accepted.at(-3)!).toBeLessThan(3_000);
  });
});

/** A server whose plugin is the one of examples. */
async function opened(): Promise<OpencodeServer> {
  return (server ??= await startServer({ SPILLWAY_URL: stack.url, SPILLWAY_KEY: stack.key }));
}

test('a compaction of opencode leaves the thread alone, which goes on and back behind it', () =>
  withProject(
    ({ asked }) => ({ text: asked.length > 1 ? `Part ${asked.length}.` : 'Part 1.' }),
    async () => {
      const { call } = await opened();
      const id = 'ses_opencode-compact';
      await call('POST', '/api/session', folder, { id, location: { directory: folder } });
      await call('PATCH', `/session/${id}`, folder, { title: id });
      const ask = (text: string) =>
        call<Entry>('POST', `/session/${id}/message`, folder, { parts: [{ type: 'text', text }] });
      for (const n of [1, 2, 3]) await ask(`Write part ${n}.`);
      const model = { providerID: 'stub', modelID: 'gpt-4o-mini' };
      await call('POST', `/session/${id}/summarize`, folder, model);
      await ask('Write part 4.');
      await ask('Write too much.');
      const questions = async () =>
        transcriptOf((await apiOf(stack).context(id)).messages).filter((line) => line.startsWith('user: '));
      const first = [1, 2, 3].map((n) => `user: Write part ${n}.`);
      expect(await questions()).toEqual([...first, 'user: Write part 4.', 'user: Write too much.']);

      const entries = await call<Entry[]>('GET', `/session/${id}/message`, folder);
      const asked = entries.filter(({ info }) => info.role === 'user');
      await call('POST', `/session/${id}/revert`, folder, { messageID: asked.at(-1)!.info.id });
      await ask('Write part 5.');
      expect(await questions()).toEqual([...first, 'user: Write part 4.', 'user: Write part 5.']);
    },
  ));

test('the plugin has the type that opencode asks for, and reads what opencode has', async () => {
  const lines = `import type { Hooks, Plugin, PluginInput } from '@opencode-ai/plugin';
import type { Agent, Message, Part as OpencodePart, ToolListItem } from '@opencode-ai/sdk';
import { createSpillway } from '@spillway/opencode';
import type { Entry, OpencodeClient, ListedTool, ToolContext } from '@spillway/opencode/opencode.js';
export default createSpillway({ baseUrl: '', key: '' }).plugin satisfies Plugin;
type Transformed = Parameters<NonNullable<Hooks['experimental.chat.messages.transform']>>[1];
export const entries = ({ messages }: Transformed): Entry[] => messages;
export const listed = (tool: ToolListItem): ListedTool => tool;
export const messages: (input: PluginInput) => OpencodeClient['session']['messages'] = ({ client }) => (options) =>
  client.session.messages(options);
`;
  expect(await adapterPage('opencode', opencode.folder).typeErrors('plugin', lines)).toBe('');
});

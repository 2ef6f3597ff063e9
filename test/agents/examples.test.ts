// @module-tag long
import { apiOf, startStubProvider, type ScriptedModel } from '@spillway/testing';
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

const run = promisify(execFile);
let stack: BorrowedStack;
beforeAll(async () => {
  stack = await borrowedStack('whole');
});

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));

/** Lists the orders, looks into what was stored of them, and says what it found. */
const model: ScriptedModel = ({ results }) => {
  if (results.length === 0) return { calls: [{ name: 'list_orders', args: {} }] };
  const id = /out_[0-9a-f]{32}/.exec(results[0]!)?.[0] ?? 'none';
  if (results.length === 1)
    return { calls: [{ name: 'read_output', args: { id, path: '$[?@.state=="damaged"].id' } }] };
  return { text: `Damaged: ${/order-\d+/.exec(results[1]!)?.[0] ?? 'not found'}.` };
};

const scripts = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ai-sdk',
  'ai-sdk-adapter',
  'openai-agents-adapter',
  'langchain-adapter',
  'anthropic-adapter',
  'mastra-adapter',
].map((name) => [`${name}.ts`, process.execPath] as const);

// Machines of users may have no Python; those that decide what lands have one.
const isPythonNeeded = process.env.CI !== undefined || spawnSync('python3', ['--version']).status === 0;
const programs = [...scripts, ...(isPythonNeeded ? [['openai_chat.py', 'python3'] as const] : [])];

test.each(programs)(
  'examples/%s answers from an output that never was in its context, and its thread holds all of it',
  async (file, program) => {
    const name = file.replaceAll('.', '-');
    const provider = await startStubProvider({ model, contextWindow: 128_000 });
    try {
      const env = {
        ...process.env,
        SPILLWAY_URL: stack.url,
        SPILLWAY_KEY: stack.key,
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: `${provider.url}/v1`,
        ANTHROPIC_API_KEY: 'sk-test',
        ANTHROPIC_BASE_URL: provider.url,
      };
      const { stdout } = await run(program, [`${folder}${file}`, name], { env });
      expect(provider.refused).toEqual([]);
      expect(stdout.trim()).toBe('Damaged: order-1234.');
      expect(Math.max(...provider.accepted)).toBeLessThan(6_000);
      const api = apiOf(stack);
      const context = await api.context(name);
      expect(context.pending_calls).toEqual([]);
      expect(JSON.stringify(context.messages.at(-1))).toContain('Damaged: order-1234.');
      expect(JSON.stringify(await api.originals(name))).toContain('order-1999');
    } finally {
      await provider.stop();
    }
  },
);

import { apiOf, loadSamples, type Api } from '@spillway/testing';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { runCommand, type Ended } from './run-program.js';
import { jsonLines, testFolder } from './test-folder.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

interface Report {
  thread: string;
  source: string;
  window: number;
  messages: number;
  model_calls: number;
  tokens_without: number;
  tokens_with: number;
  over_window: number;
  degraded: number;
  folds: number;
  failures: object[];
}

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();

const run = (...words: string[]): Promise<Ended> => runCommand(stack, words);
const sessions = fileURLToPath(new URL('sessions/', import.meta.url));
const fileWith = (name: string, messages: readonly object[]): string =>
  folder.fileWith(name, jsonLines(...messages));

beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

test('a long session in a small window: folds, every check holds, and fewer tokens are sent', async () => {
  const messages = loadSamples()[0]!.messages.slice(0, 160);
  const file = fileWith('long.jsonl', messages);
  const ended = await run('replay', file, '--window', '14000', '--thread', 'long', '--json');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const report = JSON.parse(ended.stdout) as Report;
  const calls = messages.filter(
    ({ role }, i) => role === 'assistant' && i > 0 && messages[i - 1]!.role !== 'assistant',
  ).length;
  const isWaiting = messages.at(-1)!.role !== 'assistant';
  expect(report).toMatchObject({
    thread: 'long',
    source: 'openai',
    window: 14_000,
    messages: messages.length,
    model_calls: calls + (isWaiting ? 1 : 0),
    failures: [],
  });
  expect(report.folds).toBeGreaterThan(0);
  expect(report.tokens_with).toBeLessThan(report.tokens_without);
  expect(await api.originals('long')).toEqual(messages);
  expect((await api.thread('long')).compaction.generation).toBe(report.folds);
});

test.each([
  'openai.json',
  'anthropic.json',
  'claude-code.jsonl',
  'codex.jsonl',
  'pi.jsonl',
  'langgraph.json',
])('a session as import reads it: %s', async (name) => {
  const ended = await run('replay', join(sessions, name), '--thread', `of-${name}`, '--json');
  expect(ended.stderr).toBe('');
  const report = JSON.parse(ended.stdout) as Report;
  expect(report).toMatchObject({ source: name.split('.')[0], failures: [], degraded: 0, folds: 0 });
  expect(report.model_calls).toBeGreaterThan(0);
  expect((await api.thread(`of-${name}`)).last_seq).toBe(report.messages);
});

test('the report is a text to read, and --erase leaves no thread', async () => {
  const file = fileWith('short.jsonl', [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'user', content: 'Go on.' },
  ]);
  const { code, stdout } = await run('replay', file, '--thread', 'short', '--erase');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Thread +short\nMessages +3 of openai\nCalls of the model +2\n/);
  expect(stdout).toMatch(/Input tokens without Spillway +\d+; calls over the window of \d+: 0\n/);
  for (const name of ['budget', 'prefix', 'pairs'])
    expect(stdout).toMatch(new RegExp(`Check of ${name} +held`));
  expect((await api.call('GET', '/v1/threads/short')).status).toBe(404);
});

test('a thread that is there, a file that is wrong and a window that is too small are refused', async () => {
  const file = fileWith('one.jsonl', [{ role: 'user', content: 'One.' }]);
  await api.createThread({ id: 'taken' });
  const taken = await run('replay', file, '--thread', 'taken');
  expect(taken).toMatchObject({ code: 6, stdout: '' });
  expect(taken.stderr).toContain('There is a thread taken already');
  expect((await api.thread('taken')).last_seq).toBe(0);
  expect(await run('replay', join(folder.path, 'none'))).toMatchObject({ code: 1 });
  expect((await run('replay', file, '--window', '3')).stderr).toContain('--window must be a whole number');
  for (const id of ['a b', '..'])
    expect((await run('replay', file, '--thread', id)).stderr).toContain('--thread must be 1-200');
  const refused = fileWith('refused.jsonl', [
    { role: 'user', content: 'One.' },
    { role: 'user', content: [{ type: 7 }] },
  ]);
  const wrong = await run('replay', refused, '--thread', 'wrong');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/refused\.jsonl:2: message 2: \/content: .* holds the messages before it/);
});

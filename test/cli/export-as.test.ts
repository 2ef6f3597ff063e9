import { apiOf, loadSamples, startStack, type Api, type Stack } from '@spillway/testing';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversations } from '../formats/conversations.js';
import { runProgram, type Ended } from './run-program.js';

let stack: Stack;
let api: Api;
let folder: string;

const formats = ['openai', 'responses', 'anthropic', 'ai-sdk'] as const;
const run = (...words: string[]): Promise<Ended> => runProgram(stack, words);
const path = (id: string) => `/v1/threads/${id}`;
const system = 'You build software.\nCarefully.';
type Document = { model?: string; system?: string; instructions?: string; [list: string]: unknown };

async function post(id: string, format: string, messages: readonly object[], settings: object = {}) {
  const made = await api.call('PUT', path(id), { format, ...settings });
  if (made.status >= 300) throw new Error(JSON.stringify(made.body));
  for (let i = 0; i < messages.length; i += 50) {
    const body = { messages: messages.slice(i, i + 50) };
    const answer = await api.call('POST', `${path(id)}/messages`, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  }
}

beforeAll(async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  api = apiOf(stack);
  folder = mkdtempSync(join(tmpdir(), 'spillway-export-'));
});
afterAll(async () => {
  await stack?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

describe.each(formats)('an export as a request of %s', (format) => {
  test.each([
    ['all that the format can say', () => conversations[format]],
    ['a recorded session, with large outputs', () => loadSamples(format)[0]!.messages],
  ])('and its import give the same messages: %s', async (what, messagesOf) => {
    const id = `${format}-${what.length}`;
    const messages = messagesOf();
    await post(id, format, messages);
    const file = join(folder, `${id}.json`);
    const written = await run('export', id, '--as', format, '-o', file, '--json');
    expect(JSON.parse(written.stdout)).toMatchObject({ file, bytes: readFileSync(file).length });
    expect((await run('export', id, '--as', format)).stdout).toBe(readFileSync(file, 'utf8'));
    const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    expect(document[format === 'responses' ? 'input' : 'messages']).toEqual(messages);
    const imported = await run('import', file, '--from', format, '--thread', `${id}-again`, '--json');
    expect(imported.stderr).toBe('');
    expect(JSON.parse(imported.stdout)).toMatchObject({ source: format, recorded: messages.length });
    expect(await api.originals(`${id}-again`)).toEqual(await api.originals(id));
    expect((await api.thread(`${id}-again`)).format).toBe(format);
    const again = await run('import', file, '--from', format, '--thread', `${id}-again`, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ recorded: 0, rewound: 0 });
  });

  test('is recognized without --from', async () => {
    const file = join(folder, `${format}-27.json`);
    const dry = await run('import', file, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ source: format });
  });

  test('has model and system prompt where its API takes them', async () => {
    const id = `${format}-settings`;
    await post(id, format, [conversations[format][1]!], { model: 'house-model', system });
    const document = JSON.parse((await run('export', id, '--as', format)).stdout) as Document;
    if (format !== 'ai-sdk') expect(document.model).toBe('house-model');
    if (format === 'openai')
      expect((document.messages as object[])[0]).toEqual({ role: 'system', content: system });
    else expect(format === 'responses' ? document.instructions : document.system).toBe(system);
  });
});

test('rewound messages are left out, and erased ones are named', async () => {
  const user = (content: string) => ({ role: 'user', content });
  await post('changed', 'openai', [user('one'), user('two'), user('three')]);
  await api.call('POST', `${path('changed')}/rewind`, { to_seq: 2 });
  await api.append('changed', user('four'));
  await api.call('DELETE', `${path('changed')}/messages/1`);
  const { code, stdout, stderr } = await run('export', 'changed', '--as', 'openai');
  expect(code).toBe(0);
  const { messages } = JSON.parse(stdout) as { messages: { content: string }[] };
  expect(messages).toHaveLength(3);
  expect(stdout).not.toContain('"one"');
  expect(messages.slice(1)).toEqual([user('two'), user('four')]);
  expect(stderr).toContain('1 messages were erased');
});

test('a call that cannot be served says why', async () => {
  await post('mine', 'openai', [{ role: 'user', content: 'x' }]);
  const other = await run('export', 'mine', '--as', 'anthropic', '-o', join(folder, 'other'));
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('Message 1 was posted in the format openai');
  expect(() => readFileSync(join(folder, 'other'))).toThrow('ENOENT');
  expect((await run('export', 'nowhere', '--as', 'openai')).code).toBe(4);
});

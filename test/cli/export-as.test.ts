// @module-tag long
import { apiOf, loadSamples, type Api } from '@spillway/testing';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { conversations } from '../formats/conversations.js';
import { toolCall, toolResult } from '../tool-calls.js';
import { besideModelWarning, program, runCommand, type Ended } from './run-program.js';
import { testFolder } from './test-folder.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();

const formats = ['openai', 'responses', 'anthropic', 'ai-sdk'] as const;
const run = (...words: string[]): Promise<Ended> => runCommand(stack, words);
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
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

describe.each(formats)('an export as a request of %s', (format) => {
  test.each([
    ['all that the format can say', () => conversations[format]],
    ['a recorded session, with large outputs', () => loadSamples(format)[0]!.messages],
  ])('and its import give the same messages: %s', async (what, messagesOf) => {
    const id = `${format}-${what.length}`;
    const messages = messagesOf();
    await post(id, format, messages);
    const file = join(folder.path, `${id}.json`);
    const written = await run('export', id, '--as', format, '-o', file, '--json');
    expect(JSON.parse(written.stdout)).toMatchObject({ file, bytes: readFileSync(file).length });
    expect((await run('export', id, '--as', format)).stdout).toBe(readFileSync(file, 'utf8'));
    const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
    expect(document[format === 'responses' ? 'input' : 'messages']).toEqual(messages);
    const imported = await run('import', file, '--from', format, '--thread', `${id}-again`, '--json');
    expect(besideModelWarning(imported.stderr)).toBe('');
    expect(JSON.parse(imported.stdout)).toMatchObject({ source: format, recorded: messages.length });
    expect(await api.originals(`${id}-again`)).toEqual(await api.originals(id));
    expect((await api.thread(`${id}-again`)).format).toBe(format);
    const again = await run('import', file, '--from', format, '--thread', `${id}-again`, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ recorded: 0, rewound: 0 });
  });

  test('is recognized without --from', async () => {
    const file = join(folder.path, `${format}-27.json`);
    const dry = await run('import', file, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ source: format });
  });

  test('has model and system prompt where its API takes them', async () => {
    const id = `${format}-settings`;
    await post(id, format, [conversations[format][1]], { model: 'house-model', system });
    const document = JSON.parse((await run('export', id, '--as', format)).stdout) as Document;
    if (format !== 'ai-sdk') expect(document.model).toBe('house-model');
    if (format === 'openai')
      expect((document.messages as object[])[0]).toEqual({ role: 'system', content: system });
    else expect(format === 'responses' ? document.instructions : document.system).toBe(system);
  });
});

test('an item of Responses keeps the id of its provider, of whatever form', async () => {
  const sealed = { type: 'reasoning', id: `rs_${'Ab+/'.repeat(100)}`, summary: [] };
  const search = { type: 'web_search_call', id: `ws_${'Cd+/'.repeat(75)}`, status: 'completed' };
  await post('sealed', 'responses', [{ role: 'user', content: 'go' }, sealed, search]);
  const file = join(folder.path, 'sealed.json');
  await run('export', 'sealed', '--as', 'responses', '-o', file);
  const again = () => run('import', file, '--thread', 'sealed-again', '--json');
  expect(JSON.parse((await again()).stdout)).toMatchObject({ recorded: 3 });
  expect(await api.originals('sealed-again')).toEqual(await api.originals('sealed'));
  expect(JSON.parse((await again()).stdout)).toMatchObject({ known: 3, recorded: 0 });
});

test('an export of Anthropic is recognized whatever its answers hold, and text alone is said to be a guess', async () => {
  const user = { role: 'user', content: 'go' };
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'rain' } };
  const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
  const messages = [
    user,
    { role: 'assistant', content: [search, found] },
    { role: 'system', content: 'Be brief.' },
  ];
  const exported = async (id: string, posted: readonly object[]) => {
    await post(id, 'anthropic', posted);
    const file = join(folder.path, `${id}.json`);
    await run('export', id, '--as', 'anthropic', '-o', file);
    return file;
  };
  const searched = await run('import', await exported('searched', messages), '--thread', 'searched-again');
  expect([searched.code, besideModelWarning(searched.stderr)]).toEqual([0, '']);
  expect(searched.stdout).not.toContain('--from');
  expect(await api.originals('searched-again')).toEqual(await api.originals('searched'));
  expect((await api.thread('searched-again')).format).toBe('anthropic');
  const file = await exported('words', [user, { role: 'assistant', content: 'Done.' }]);
  const guessed = await run('import', file, '--dry-run');
  expect(guessed.stdout).toContain(
    'Read as openai: text alone looks the same in ai-sdk, anthropic. --from names another source.',
  );
  const row = await run('import', file, '--dry-run', '--json');
  expect(JSON.parse(row.stdout)).toMatchObject({ source: 'openai', could_be: ['ai-sdk', 'anthropic'] });
  expect((await run('import', file, '--from', 'anthropic', '--dry-run')).stdout).not.toContain('--from');
});

describe('an export as the request of another provider', () => {
  const pairs = formats.flatMap((from) =>
    formats.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  test.each(pairs)(
    'a recorded session of %s as %s says the same, each call with its result',
    async (from, to) => {
      const id = `${from}-38`;
      const file = join(folder.path, `${from}-as-${to}.json`);
      const written = await run('export', id, '--as', to, '-o', file);
      expect(written.code).toBe(0);
      const imported = await run('import', file, '--from', to, '--thread', `${from}-as-${to}`, '--json');
      expect(besideModelWarning(imported.stderr)).toBe('');
      const posted = await api.originals(id);
      const converted = await api.originals(`${from}-as-${to}`);
      const [was, is] = [idsIn(posted), idsIn(converted)];
      expect(was.results.length).toBeGreaterThan(10);
      expect(is).toEqual(was);
      const text = JSON.stringify(converted);
      for (const one of textsOf(posted)) expect(text).toContain(JSON.stringify(one).slice(1, -1));
    },
  );

  /** Ids of calls and of results in the order of the messages, whatever their format. */
  function idsIn(messages: readonly unknown[]): { calls: string[]; results: string[] } {
    const [calls, results]: [string[], string[]] = [[], []];
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, id, call_id, toolCallId, tool_call_id, tool_use_id } = value as Record<string, string>;
      if (type === 'function' || type === 'tool_use') calls.push(id!);
      if (type === 'function_call') calls.push(call_id!);
      if (type === 'tool-call') calls.push(toolCallId!);
      if (tool_call_id ?? tool_use_id) results.push((tool_call_id ?? tool_use_id)!);
      if (type === 'function_call_output') results.push(call_id!);
      if (type === 'tool-result') results.push(toolCallId!);
      Object.values(value).forEach(walk);
    };
    walk(messages);
    return { calls, results };
  }
  /** Texts of users and assistants. */
  const textsOf = (messages: readonly { role?: string; content?: unknown }[]): string[] =>
    messages.flatMap(({ role, content }) => {
      if (role !== 'user' && role !== 'assistant') return [];
      if (typeof content === 'string') return [content];
      return (Array.isArray(content) ? (content as { text?: string }[]) : []).flatMap(
        ({ text }) => text ?? [],
      );
    });

  test('each call has an id of its own, however long the history is', async () => {
    const turn = [{ role: 'user', content: 'go' }, toolCall('call_0', 'run'), toolResult('call_0', 'done')];
    await post('repeated', 'openai', Array.from({ length: 80 }, () => turn).flat());
    const { stdout } = await run('export', 'repeated', '--as', 'anthropic');
    const { calls, results } = idsIn((JSON.parse(stdout) as { messages: unknown[] }).messages);
    expect(calls).toHaveLength(80);
    expect(new Set(calls).size).toBe(80);
    expect(results).toEqual(calls);
  });

  test('a long history of steps gets no message between them', async () => {
    const steps = Array.from({ length: 130 }, (_, i) => [
      toolCall(`call_${i}`, 'run'),
      toolResult(`call_${i}`, 'done'),
    ]);
    await post('steps', 'openai', [{ role: 'user', content: 'go' }, ...steps.flat()], wide);
    const messages = await exportedAs('anthropic', 'steps');
    expect(messages).toHaveLength(261);
    expect(messages).toEqual(await contextOf('steps'));
  });

  test('a later system message of a long history has the role that its neighbours allow', async () => {
    const turns = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, i) => ({
        role: (first + i) % 2 === 1 ? 'user' : 'assistant',
        content: `message ${first + i}`,
      }));
    const system = (content: string) => ({ role: 'system', content });
    // Message 100 stands between two of the user, message 201 between user and assistant.
    const messages = [
      ...turns(1, 99),
      system('refused here'),
      ...turns(101, 199),
      { role: 'user', content: 'and' },
      system('allowed here'),
      ...turns(202, 230),
    ];
    await post('systems', 'anthropic', messages, wide);
    const exported = await exportedAs('anthropic', 'systems');
    expect(exported[99]).toEqual({ role: 'user', content: '[System message] refused here' });
    expect(exported[200]).toEqual(system('allowed here'));
    expect(exported).toEqual(await contextOf('systems'));
  });

  test('of the marks of a cached prefix a long history keeps the newest two', async () => {
    const cache_control = { type: 'ephemeral' };
    const messages = Array.from({ length: 260 }, (_, i) =>
      i % 2 === 0
        ? { role: 'user', content: [{ type: 'text', text: `message ${i}`, cache_control }] }
        : { role: 'assistant', content: 'yes' },
    );
    await post('marked', 'anthropic', messages, wide);
    const exported = await exportedAs('anthropic', 'marked');
    expect(JSON.stringify(exported).split('cache_control')).toHaveLength(1 + 2);
    expect(exported).toEqual(await contextOf('marked'));
  });

  const wide = { policy: { context: { context_window: 1_000_000 } } };
  const exportedAs = async (format: string, id: string): Promise<object[]> => {
    const { body } = await api.call<string>('GET', `${path(id)}/export?as=${format}`);
    const lines = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; message: object });
    return lines.filter(({ type }) => type === 'message').map(({ message }) => message);
  };
  const contextOf = async (id: string): Promise<object[]> =>
    (await api.call<{ messages: object[] }>('GET', `${path(id)}/context?format=anthropic`)).body.messages;

  test('names what it cannot express', async () => {
    const { code, stdout, stderr } = await run('export', 'openai-27', '--as', 'anthropic');
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as Document;
    expect(document.system).toBe('You are careful.');
    expect(stderr).toMatch(/Left out, \d+ times?: /);
  });
});

test('on a terminal no progress is written into the document', async () => {
  const command = [process.execPath, program, 'export', 'openai-27', '--as', 'openai'].join(' ');
  const env = { PATH: process.env.PATH!, SPILLWAY_URL: stack.url, SPILLWAY_KEY: stack.key };
  // The program script runs a command in a terminal of its own.
  const shown = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
  const { stdout } = await run('export', 'openai-27', '--as', 'openai');
  expect(shown.replaceAll('\r\n', '\n')).toBe(stdout);
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
  expect(stderr).toContain('Erased: 1 message.');
});

test('a call that cannot be served says why', async () => {
  await post('mine', 'openai', [{ role: 'user', content: 'x' }]);
  await api.call('POST', `${path('mine')}/messages?format=anthropic`, {
    messages: [{ role: 'user', content: 'y' }],
  });
  const other = await run('export', 'mine', '--as', 'openai', '-o', join(folder.path, 'other'));
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('Message 2 was posted in the format anthropic');
  expect(() => readFileSync(join(folder.path, 'other'))).toThrow('ENOENT');
  expect((await run('export', 'mine', '--as', 'anthropic')).code).toBe(0);
  const { body } = await api.call<{ code: string }>(
    'GET',
    `${path('mine')}/export?as=openai&format=markdown`,
  );
  expect(body.code).toBe('invalid_request');
  expect((await run('export', 'nowhere', '--as', 'openai')).code).toBe(4);
});

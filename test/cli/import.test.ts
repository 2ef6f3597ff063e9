import { apiOf, type Api } from '@spillway/testing';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, valuesOf, type Ended } from './run-program.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

interface Golden {
  source: string;
  format: string;
  session: string | null;
  model: string | null;
  system: string | null;
  left_out: Record<string, number>;
  messages: { id: string; line: number; message: object }[];
}

const sessions = fileURLToPath(new URL('sessions/', import.meta.url));
const files = {
  openai: 'openai.json',
  anthropic: 'anthropic.json',
  'claude-code': 'claude-code.jsonl',
  codex: 'codex.jsonl',
  pi: 'pi.jsonl',
  langgraph: 'langgraph.json',
};
type Source = keyof typeof files;
const fileOf = (source: Source) => join(sessions, files[source]);
const goldenOf = (source: Source) =>
  JSON.parse(readFileSync(join(sessions, 'golden', `${source}.json`), 'utf8')) as Golden;

let stack: BorrowedStack;
let api: Api;
let folder: string;
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
  folder = mkdtempSync(join(tmpdir(), 'spillway-import-'));
});
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true });
});

const run = (...words: string[]): Promise<Ended> => runCommand(stack, words);
const fileWith = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const jsonLines = (...values: unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
/** The first lines of a session, as its program had written them at an earlier time. */
const beginningOf = (source: Source, lines: number): string =>
  readFileSync(fileOf(source), 'utf8').split('\n').slice(0, lines).join('\n') + '\n';

async function imported(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run('import', '--json', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

type Line = { type: string; id: string; message: object; rewound_before: number | null };
async function exported(thread: string): Promise<Line[]> {
  const { code, stdout } = await run('export', thread);
  expect(code).toBe(0);
  return valuesOf<Line>(stdout).filter((line) => line.type === 'message' && line.rewound_before === null);
}

describe.each(Object.keys(files) as Source[])('a session of %s', (source) => {
  const golden = goldenOf(source);
  const thread = `import-${source}`;

  test('is recognized, and an export gives it back', async () => {
    const report = await imported(fileOf(source), '--thread', thread);
    expect(report).toEqual({
      source,
      thread,
      messages: golden.messages.length,
      known: 0,
      recorded: golden.messages.length,
      rewound: 0,
      last_seq: golden.messages.length,
      left_out: golden.left_out,
    });
    expect((await exported(thread)).map(({ id, message }) => ({ id, message }))).toEqual(
      golden.messages.map(({ id, message }) => ({ id, message })),
    );
    const { model, system, format, metadata } = await api.thread(thread);
    expect({ model, system, format }).toEqual({
      model: golden.model,
      system: golden.system,
      format: golden.format,
    });
    expect(metadata).toMatchObject({
      imported_from: source,
      ...(golden.session === null ? {} : { imported_session: golden.session }),
    });
    if (files[source].endsWith('.jsonl'))
      expect(metadata).toMatchObject({
        session_began: expect.stringMatching(/^2026-11-20T09:00:0/) as string,
        session_ended: expect.stringMatching(/^2026-11-20T09:0[23]:/) as string,
      });
  });

  test('is a context in every format, with each call answered', async () => {
    for (const format of ['openai', 'anthropic', 'responses', 'ai-sdk']) {
      const { code, stdout } = await run('context', thread, '--format', format, '--json');
      expect(code, format).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ pending_calls: [], degraded: false });
      expect(stdout).toContain('No rule');
      expect(stdout).toContain('Makefile.in');
    }
  });

  test('posts nothing when it is imported again', async () => {
    const before = await api.thread(thread);
    const report = await imported(fileOf(source), '--thread', thread);
    expect(report).toMatchObject({ known: golden.messages.length, recorded: 0, rewound: 0 });
    expect(await api.thread(thread)).toEqual(before);
  });

  test('is read without a server, under a thread of its own name', async () => {
    const { code, stdout } = await runCommand({ url: '', key: '' }, ['import', fileOf(source), '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `${golden.messages.length} messages of ${source} would be recorded in the thread ${source}-`,
    );
    for (const [what, count] of Object.entries(golden.left_out)) expect(stdout).toContain(`${count} ${what}`);
  });
});

describe('a session that goes on', () => {
  test.each<[Source, number, number, number]>([
    // The answer of the model was not complete: it grew by a parallel call.
    ['claude-code', 5, 1, 1],
    // A turn was taken back since.
    ['codex', 15, 8, 2],
    // Its user went to another branch.
    ['pi', 9, 5, 1],
  ])('of %s posts what is new after its first %d lines', async (source, lines, known, rewound) => {
    const thread = `grows-${source}`;
    const golden = goldenOf(source);
    const early = fileWith(`${source}.jsonl`, beginningOf(source, lines));
    const first = await imported(early, '--thread', thread);
    expect(first.recorded).toBe(known + rewound);
    const report = await imported(fileOf(source), '--thread', thread);
    expect(report).toMatchObject({ known, rewound, recorded: golden.messages.length - known });
    expect((await exported(thread)).map(({ message }) => message)).toEqual(
      golden.messages.map(({ message }) => message),
    );
    expect(await imported(fileOf(source), '--thread', thread)).toMatchObject({ recorded: 0, rewound: 0 });
  });

  test('in the thread itself stays, and is left only with --rewind', async () => {
    const say = (i: number) => ({ role: i % 2 ? 'assistant' : 'user', content: `Word ${i}.` });
    const two = fileWith('two.jsonl', jsonLines(say(0), say(1)));
    await imported(two, '--thread', 'went-on');
    await api.append('went-on', { role: 'user', content: 'Here and not in the file.' });
    expect(await imported(two, '--thread', 'went-on')).toMatchObject({ known: 2, recorded: 0 });
    const three = fileWith('three.jsonl', jsonLines(say(0), say(1), say(2)));
    const refused = await run('import', three, '--thread', 'went-on');
    expect(refused).toMatchObject({ code: 6, stdout: '' });
    expect(refused.stderr).toContain('1 messages after message 2, of which the file has not 1');
    expect((await api.thread('went-on')).last_seq).toBe(3);
    expect(await imported(three, '--thread', 'went-on', '--rewind')).toMatchObject({
      rewound: 1,
      recorded: 1,
    });
    expect((await exported('went-on')).map(({ message }) => message)).toEqual([say(0), say(1), say(2)]);
  });
});

describe('a file that is wrong posts nothing', () => {
  const user = { role: 'user', content: 'Hello.' };
  const meta = { timestamp: '2026-11-20T09:00:00Z', type: 'session_meta', payload: { id: 's' } };
  test.each<[string, string, string[], RegExp]>([
    ['an empty file', '', [], /wrong is empty/],
    [
      'a line that is not JSON',
      `${JSON.stringify(user)}\n\n{"role": "user", "con\n`,
      [],
      /wrong:3: The line is not JSON/,
    ],
    [
      'a list that does not end',
      `[\n${JSON.stringify(user)},\n`,
      [],
      /wrong:\d: The JSON document is not valid/,
    ],
    [
      'a message that is no object',
      jsonLines(user, 'Hello.'),
      [],
      /wrong:2: Each message must be a JSON object/,
    ],
    [
      'several conversations',
      jsonLines({ messages: [user] }, { messages: [user] }),
      [],
      /wrong:2: The file has several/,
    ],
    [
      'no known form',
      jsonLines({ speaker: 'me', words: 'Hello.' }),
      [],
      /form of no known source. --from names one/,
    ],
    [
      'an unknown role',
      jsonLines(user, { role: 'robot', content: 'Hm.' }),
      [],
      /wrong:2: The role is "robot"/,
    ],
    [
      'a result without its call',
      jsonLines(user, { role: 'tool', content: 'x' }),
      [],
      /wrong:2: .*tool_call_id/,
    ],
    [
      'the same id twice',
      jsonLines({ ...user, id: 'a' }, { ...user, id: 'a' }),
      [],
      /wrong:2: .*of the one in line 1: a/,
    ],
    [
      'another source than named',
      jsonLines({ role: 'system', content: 'x' }),
      ['--from', 'anthropic'],
      /wrong:1: The role is "system"/,
    ],
    [
      'a line of Codex without payload',
      jsonLines(meta, { type: 'response_item' }),
      [],
      /wrong:2: The line has no payload/,
    ],
    [
      'a role that pi does not have',
      jsonLines({ type: 'session', id: 's' }, { type: 'message', id: '1', message: { role: 'x' } }),
      [],
      /wrong:2: The role is "x"/,
    ],
    [
      'a type that LangChain does not have',
      jsonLines({ type: 'human', content: 'a' }, { type: 'remove', content: '' }),
      ['--from', 'langgraph'],
      /wrong:2: The type of the message is "remove"/,
    ],
    ['content that the API refuses', jsonLines(user, { role: 'user', content: 7 }), [], /wrong:2: .*content/],
    ['bytes that are not text', '\ud800', [], /no known source|not JSON|not text/],
  ])('%s', async (what, text, words, expected) => {
    const thread = `wrong-${what.replaceAll(' ', '-')}`;
    const { code, stdout, stderr } = await run(
      'import',
      fileWith('wrong', text),
      '--thread',
      thread,
      ...words,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
    expect((await api.call('GET', `/v1/threads/${thread}/messages`)).body).not.toHaveProperty('data.0');
  });

  test('a file that is not there, and one that is a folder', async () => {
    expect(await run('import', join(folder, 'none'))).toMatchObject({ code: 1 });
    expect((await run('import', folder)).stderr).toContain('folder');
  });

  test('that the API refuses in its middle says how far it came, and goes on once it is repaired', async () => {
    const item = (payload: object) => ({ timestamp: '2026-11-20T09:00:00Z', type: 'response_item', payload });
    const say = (text: string) =>
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const call = { type: 'function_call', name: 'sh', arguments: '{}', call_id: 'c1' };
    const broken = fileWith(
      'half.jsonl',
      jsonLines(meta, say('one'), say('two'), item({ ...call, name: '' }), say('three')),
    );
    const refused = await run('import', broken, '--thread', 'half');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/half\.jsonl:4: .*2 of 4 new messages were recorded before it/);
    fileWith('half.jsonl', jsonLines(meta, say('one'), say('two'), item(call), say('three')));
    expect(await imported(broken, '--thread', 'half')).toMatchObject({ known: 2, recorded: 2, rewound: 0 });
  });
});

test('a long session is posted in few requests, and its lines are found in a document', async () => {
  const messages = Array.from({ length: 2_500 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `Word ${i}, [{"\\ `,
  }));
  const file = fileWith('long.json', JSON.stringify({ model: 'gpt-4o', messages }, null, 1));
  expect(await imported(file)).toMatchObject({ thread: 'openai-long', recorded: 2_500 });
  expect((await exported('openai-long')).map(({ message }) => message)).toEqual(messages);
  const wrong = fileWith(
    'late.json',
    JSON.stringify({ messages: [...messages.slice(0, 3), { role: 'x', content: '' }] }, null, 1),
  );
  expect((await run('import', wrong)).stderr).toMatch(/late\.json:15: The role is "x"/);
});

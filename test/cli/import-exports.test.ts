import { apiOf, type Api } from '@spillway/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { besideModelWarning, runCommand, valuesOf, type Ended } from './run-program.js';
import { testFolder } from './test-folder.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

interface Golden {
  source: string;
  format: string;
  session: string;
  title: string | null;
  model: string | null;
  left_out: Record<string, number>;
  messages: { id: string; line: number; sent_at: string | null; message: object }[];
}
interface Row {
  conversation: string;
  thread: string | null;
  recorded?: number;
  error?: { code: string };
}

const sources = ['chatgpt', 'claude-ai'] as const;
const sessions = fileURLToPath(new URL('sessions/', import.meta.url));
const fileOf = (source: string) => join(sessions, `${source}.json`);
const goldenOf = (source: string) =>
  JSON.parse(readFileSync(join(sessions, 'golden', `${source}.json`), 'utf8')) as Golden[];

let stack: BorrowedStack;
let api: Api;
const folder = testFolder();
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
});

const run = (...words: string[]): Promise<Ended> => runCommand(stack, words);

async function imported(...words: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await run('import', '--json', ...words);
  expect({ code, stderr: besideModelWarning(stderr) }).toEqual({ code: 0, stderr: '' });
  return valuesOf<Row>(stdout);
}

interface Line {
  type: string;
  id: string;
  sent_at: string | null;
  message: object;
  rewound_before: number | null;
}
async function exported(thread: string): Promise<Pick<Line, 'id' | 'sent_at' | 'message'>[]> {
  const { code, stdout } = await run('export', thread);
  expect(code).toBe(0);
  return valuesOf<Line>(stdout)
    .filter((line) => line.type === 'message' && line.rewound_before === null)
    .map(({ id, sent_at, message }) => ({ id, sent_at, message }));
}

/** A conversation of ChatGPT whose messages follow each other. */
const chat = (id: string, title: string, words: string[]) => ({
  id,
  title,
  current_node: `${id}-${words.length - 1}`,
  mapping: Object.fromEntries(
    words.map((word, i) => [
      `${id}-${i}`,
      {
        id: `${id}-${i}`,
        parent: i === 0 ? null : `${id}-${i - 1}`,
        message: {
          id: `${id}-${i}`,
          author: { role: i % 2 ? 'assistant' : 'user' },
          content: { content_type: 'text', parts: [word] },
          create_time: 1_763_629_200 + i,
        },
      },
    ]),
  ),
});
const chats = (name: string, ...all: object[]): string => folder.fileWith(name, JSON.stringify(all));

describe.each(sources)('an export of %s', (source) => {
  const golden = goldenOf(source);
  const threadOf = ({ session }: Golden) => `${source}-${session}`;

  test('is read without a server, with a line for each conversation and one for all', async () => {
    const { code, stdout } = await runCommand({ url: '', key: '' }, ['import', fileOf(source), '--dry-run']);
    expect(code).toBe(0);
    const [full, second] = golden as [Golden, Golden];
    expect(stdout).toContain(
      `${full.messages.length} messages of ${source} would be recorded in the thread ${threadOf(full)} (${full.title})`,
    );
    expect(stdout).toContain(`in the thread ${threadOf(second)}`);
    expect(stdout).toContain('3 conversations; 1 without messages.');
    for (const [what, count] of Object.entries(full.left_out)) expect(stdout).toContain(`${what} (${count})`);
  });

  test('is recognized, and each conversation is a thread', async () => {
    const rows = await imported(fileOf(source));
    expect(rows).toEqual(
      golden.map((one) => ({
        source,
        conversation: one.session,
        title: one.title,
        messages: one.messages.length,
        left_out: one.left_out,
        ...(one.messages.length === 0
          ? { thread: null }
          : {
              thread: threadOf(one),
              known: 0,
              recorded: one.messages.length,
              rewound: 0,
              last_seq: one.messages.length,
            }),
      })),
    );
    for (const one of golden.filter(({ messages }) => messages.length > 0)) {
      expect(await exported(threadOf(one))).toEqual(
        one.messages.map(({ id, sent_at, message }) => ({ id, sent_at, message })),
      );
      const { model, format, metadata } = await api.thread(threadOf(one));
      expect({ model, format }).toEqual({ model: one.model, format: one.format });
      const times = one.messages.flatMap(({ sent_at: at }) => at ?? []);
      expect(metadata).toEqual({
        imported_from: source,
        imported_session: one.session,
        ...(one.title === null ? {} : { session_title: one.title }),
        ...(one.messages[0]!.sent_at === null ? {} : { session_began: times[0] }),
        session_ended: times.at(-1),
      });
    }
    expect((await api.call('GET', `/v1/threads/${threadOf(golden[2]!)}`)).status).toBe(404);
  });

  test('is a context in every format, with each call answered', async () => {
    for (const format of ['openai', 'anthropic', 'responses', 'ai-sdk']) {
      const { code, stdout } = await run('context', threadOf(golden[0]!), '--format', format, '--json');
      expect(code, format).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ pending_calls: [], degraded: false });
      for (const words of ['No rule', 'Makefile.am', 'example.org/automake', 'terminal.png'])
        expect(stdout, format).toContain(words);
      expect(stdout).not.toContain('no result was recorded');
    }
  });

  test('posts nothing when it is imported again', async () => {
    for (const { recorded, thread } of await imported(fileOf(source)))
      expect(recorded).toBe(thread === null ? undefined : 0);
  });

  test('gives one conversation by id or title, and replays it', async () => {
    const [full, second] = golden as [Golden, Golden];
    const named = await imported(fileOf(source), '--conversation', full.title!, '--thread', `one-${source}`);
    expect(named).toMatchObject([{ thread: `one-${source}`, recorded: full.messages.length }]);
    const [other] = await imported(fileOf(source), '--conversation', second.session, '--dry-run');
    expect(other).toMatchObject({ conversation: second.session, thread: threadOf(second), dry_run: true });
    const { code, stdout } = await run('replay', fileOf(source), '--conversation', full.session, '--json');
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
      code: 0,
      source,
      messages: full.messages.length,
      failures: [],
    });
  });
});

describe('an export that goes on', () => {
  test('posts what is new of each conversation, and new conversations', async () => {
    await imported(chats('early.json', chat('g1', 'A', ['a', 'b']), chat('g2', 'B', ['a', 'b'])));
    const rows = await imported(
      chats(
        'late.json',
        chat('g3', 'C', ['a', 'b']),
        chat('g2', 'B, renamed', ['a', 'b', 'c', 'd']),
        chat('g1', 'A', ['a', 'b']),
      ),
    );
    expect(rows).toMatchObject([
      { thread: 'chatgpt-g3', known: 0, recorded: 2 },
      { thread: 'chatgpt-g2', known: 2, recorded: 2, rewound: 0 },
      { thread: 'chatgpt-g1', known: 2, recorded: 0 },
    ]);
    expect((await api.thread('chatgpt-g2')).metadata).toMatchObject({ session_title: 'B, renamed' });
  });

  test('rewinds the branch that its user left', async () => {
    const golden = goldenOf('chatgpt')[0]!;
    const [whole] = JSON.parse(readFileSync(fileOf('chatgpt'), 'utf8')) as { current_node: string }[];
    const early = chats('branch.json', { ...whole, current_node: 'aaaa0013-0000-4000-8000-000000000000' });
    expect(await imported(early, '--thread', 'branches')).toMatchObject([{ recorded: 3 }]);
    const later = chats('branch.json', whole!);
    const [row] = await imported(later, '--thread', 'branches');
    expect(row).toMatchObject({ known: 2, rewound: 1, recorded: golden.messages.length - 2 });
    expect((await exported('branches')).map(({ id }) => id)).toEqual(golden.messages.map(({ id }) => id));
  });

  test('leaves a thread that went on elsewhere, and imports those after it', async () => {
    const first = chats('first.json', chat('w1', 'A', ['a', 'b']), chat('w2', 'B', ['a', 'b']));
    await imported(first);
    await api.append('chatgpt-w1', { role: 'user', content: 'Here and not in the file.' });
    const longer = [chat('w1', 'A', ['a', 'b', 'c', 'd']), chat('w2', 'B', ['a', 'b', 'c', 'd'])];
    const both = chats('both.json', ...longer);
    const text = await run('import', both);
    expect(text.code).toBe(6);
    expect(text.stderr).toContain('The thread chatgpt-w1 has 1 message after message 2');
    expect(text.stdout).toContain(
      'Recorded 2 of 4 messages of chatgpt in the thread chatgpt-w2 (B); already there: 2',
    );
    expect(text.stdout).toContain('2 conversations; not imported, because the thread has other messages: 1.');
    const { code, stdout } = await run('import', both, '--json');
    expect(code).toBe(6);
    expect(valuesOf<Row>(stdout)).toMatchObject([
      { thread: 'chatgpt-w1', error: { code: 'thread_differs' } },
      { thread: 'chatgpt-w2', known: 4, recorded: 0 },
    ]);
    expect((await api.thread('chatgpt-w1')).last_seq).toBe(3);
    expect((await imported(both, '--rewind'))[0]).toMatchObject({ rewound: 1, recorded: 2 });
  });
});

describe('a call or an export that is wrong posts nothing', () => {
  const two = [chat('e1', 'A', ['a']), chat('e2', 'A', ['b'])];
  test.each<[string, string, string[], RegExp]>([
    [
      '--thread for several',
      JSON.stringify(two),
      ['--thread', 'x'],
      /has 2 conversations, and --thread names one/,
    ],
    ['a title of several', JSON.stringify(two), ['--conversation', 'A'], /takes an id: e1, e2\./],
    [
      'no such conversation',
      JSON.stringify(two),
      ['--conversation', 'Z'],
      /no conversation with the id or the title "Z"/,
    ],
    [
      '--conversation for another source',
      JSON.stringify([{ role: 'user', content: 'Hello.' }]),
      ['--conversation', 'A'],
      /has one session. --conversation is for exports of chatgpt and claude-ai/,
    ],
    ['two of one id', JSON.stringify([two[0], two[0]]), [], /two conversations for the thread chatgpt-e1/],
    ['a list that does not end', `[\n${JSON.stringify(two[0])},\n{"id": "e3"`, [], /wrong:3: .*does not end/],
    [
      'a conversation that is not JSON',
      `[\n${JSON.stringify(two[0])},\n{"id": e3}]`,
      [],
      /wrong:3: The conversation is not JSON/,
    ],
    [
      'a conversation of the other export',
      `[${JSON.stringify(two[0])},\n{"uuid": "u", "chat_messages": []}]`,
      [],
      /wrong:2: This is no conversation of an export of chatgpt/,
    ],
    [
      'another source than named',
      JSON.stringify(two),
      ['--from', 'claude-ai'],
      /wrong:1: This is no conversation/,
    ],
    ['no conversations', '[]', ['--from', 'chatgpt'], /wrong has no conversations/],
  ])('%s', async (_what, text, words, expected) => {
    const { code, stdout, stderr } = await run('import', folder.fileWith('wrong', text), ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
    expect((await api.call('GET', '/v1/threads/chatgpt-e1')).status).toBe(404);
  });

  test('a replay of several conversations asks for one', async () => {
    const { code, stderr } = await run('replay', folder.fileWith('wrong', JSON.stringify(two)));
    expect(code).toBe(2);
    expect(stderr).toContain('has 2 conversations. --conversation names one by id or title.');
    const empty = await run('replay', fileOf('chatgpt'), '--conversation', 'New chat');
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('has no messages in this conversation');
  });
});

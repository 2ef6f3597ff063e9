import { Spillway } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { toolCall, toolResult, toolRun } from '../tool-calls.js';
import { besideModelWarning, runCommand, runProgram, valuesOf, type Ended } from './run-program.js';
import { jsonLines, testFolder } from './test-folder.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

interface Golden {
  source: string;
  format: string;
  session: string | null;
  model: string | null;
  system: string | null;
  left_out: Record<string, number>;
  messages: { id: string; line: number; sent_at: string | null; message: object }[];
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
const folder = testFolder();
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
});

const run = (...words: string[]): Promise<Ended> => runCommand(stack, words);
/** The first lines of a session, as its program had written them at an earlier time. */
const beginningOf = (source: Source, lines: number): string =>
  readFileSync(fileOf(source), 'utf8').split('\n').slice(0, lines).join('\n') + '\n';

const digestOf = (message: object): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 24);

async function imported(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run('import', '--json', ...words);
  expect({ code, stderr: besideModelWarning(stderr) }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

type Line = {
  type: string;
  id: string;
  sent_at: string | null;
  message: object;
  rewound_before: number | null;
};
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
    expect((await exported(thread)).map(({ id, sent_at, message }) => ({ id, sent_at, message }))).toEqual(
      golden.messages.map(({ id, sent_at, message }) => ({ id, sent_at, message })),
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
    const times = golden.messages.map(({ sent_at: at }) => at);
    expect(metadata.session_began).toBe(times[0] ?? undefined);
    expect(metadata.session_ended).toBe(
      times
        .filter((at) => at !== null)
        .sort()
        .at(-1),
    );
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
    for (const [what, count] of Object.entries(golden.left_out))
      expect(stdout).toContain(`${what} (${count})`);
  });
});

describe('a message of more than 8 MiB', { tags: 'long' }, () => {
  const text = Array.from({ length: 700_000 }, (_, i) => `line ${i}\n`).join('');
  const session = [
    { role: 'user', content: 'Go.' },
    ...toolRun('c', text),
    { role: 'assistant', content: 'Gone.' },
  ];

  test('has the result of its tool uploaded, and a stub in its place', async () => {
    const file = folder.fileWith('large-result.jsonl', jsonLines(...session));
    const words = [file, '--thread', 'large-result'];
    expect(await imported(...words)).toMatchObject({ recorded: 4, last_seq: 4 });
    const id = /out_[0-9a-f]{32}/.exec(JSON.stringify((await exported('large-result'))[2]))![0];
    const whole = await new Spillway({ baseUrl: stack.url, key: stack.key }).outputs.content(id);
    expect((await new Response(whole).text()) === text).toBe(true);
    expect(await imported(...words)).toMatchObject({ known: 4, recorded: 0, last_seq: 4 });
    const replayed = await run('replay', file, '--erase');
    expect([replayed.code, replayed.stdout]).toEqual([
      0,
      expect.stringMatching(/^Thread .*\nMessages +4 of openai/) as string,
    ]);
  });

  test('of more JSON than a request may have is posted so too, and several that are too much together are divided', async () => {
    const stock = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, i]));
    const values = [stock(10_001), ...[1, 2, 3].map(() => Array.from({ length: 9 }, () => stock(9_999)))];
    const turns = values.flatMap((value, i) => {
      const one = { toolCallId: `c${i}`, toolName: 'stock' };
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...one, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...one, output: { type: 'json', value } }] },
      ];
    });
    const file = folder.fileWith('large-json.jsonl', jsonLines({ role: 'user', content: 'Go.' }, ...turns));
    expect(await imported(file, '--thread', 'large-json')).toMatchObject({ recorded: 9, last_seq: 9 });
    const id = /out_[0-9a-f]{32}/.exec(JSON.stringify((await exported('large-json'))[2]))![0];
    const whole = await new Spillway({ baseUrl: stack.url, key: stack.key }).outputs.content(id);
    expect(await new Response(whole).json()).toEqual(values[0]);
  });

  test('is refused when it is that large without results, and then nothing is posted', async () => {
    const file = folder.fileWith('large-text.jsonl', jsonLines(session[0]!, { role: 'user', content: text }));
    const { code, stderr } = await run('import', file, '--thread', 'large-text');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}:2: `) as string]);
    expect(stderr).toContain('more than 8 MiB beside its tool results');
    expect((await run('import', file, '--dry-run')).code).toBe(2);
    expect((await api.call('GET', '/v1/threads/large-text')).status).toBe(404);
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
    const early = folder.fileWith(`${source}.jsonl`, beginningOf(source, lines));
    const first = await imported(early, '--thread', thread);
    expect(first.recorded).toBe(known + rewound);
    const report = await imported(fileOf(source), '--thread', thread);
    expect(report).toMatchObject({ known, rewound, recorded: golden.messages.length - known });
    expect((await exported(thread)).map(({ sent_at, message }) => ({ sent_at, message }))).toEqual(
      golden.messages.map(({ sent_at, message }) => ({ sent_at, message })),
    );
    expect(await imported(fileOf(source), '--thread', thread)).toMatchObject({ recorded: 0, rewound: 0 });
  });

  test.each(['openai', 'responses', 'ai-sdk'])(
    'of %s is continued whose messages were imported with their times in them',
    async (source) => {
      const messages = Array.from({ length: 4 }, (_, i) => ({
        role: i % 2 ? 'assistant' : 'user',
        content: `Word ${i}.`,
        created_at: 1_763_629_200 + i,
      }));
      const thread = `timed-${source}`;
      const words = ['--thread', thread, '--from', source];
      await api.createThread({ id: thread });
      // The ids that imports have given since before times were read.
      for (const [i, message] of messages.slice(0, 2).entries())
        await api.call(
          'POST',
          `/v1/threads/${thread}/messages?format=${source}`,
          { messages: [message] },
          { 'idempotency-key': `at-${i}-${digestOf(message)}` },
        );
      const ids = (await exported(thread)).map(({ id }) => id);
      if (source !== 'responses') {
        // An id of their own without the suffix that a key gives.
        await api.call('POST', `/v1/threads/${thread}/rewind`, { to_seq: 0 });
        const named = messages.slice(0, 2).map((one, i) => ({ ...one, id: ids[i]!.replace(/:0$/, '') }));
        await api.call('POST', `/v1/threads/${thread}/messages?format=${source}`, { messages: named });
      }
      const file = folder.fileWith(`timed-${source}.json`, JSON.stringify(messages));
      expect(await imported(file, ...words)).toMatchObject({ known: 2, recorded: 2, rewound: 0 });
      const now = await exported(thread);
      expect(now.map(({ sent_at: at }) => at)).toEqual([
        null,
        null,
        '2025-11-20T09:00:02.000Z',
        '2025-11-20T09:00:03.000Z',
      ]);
      expect(now[3]!.message).toEqual({ role: 'assistant', content: 'Word 3.' });
    },
  );

  test('in the thread itself stays, and is left only with --rewind', async () => {
    const say = (i: number) => ({ role: i % 2 ? 'assistant' : 'user', content: `Word ${i}.` });
    const two = folder.fileWith('two.jsonl', jsonLines(say(0), say(1)));
    await imported(two, '--thread', 'went-on');
    await api.append('went-on', { role: 'user', content: 'Here and not in the file.' });
    expect(await imported(two, '--thread', 'went-on')).toMatchObject({ known: 2, recorded: 0 });
    const three = folder.fileWith('three.jsonl', jsonLines(say(0), say(1), say(2)));
    const refused = await run('import', three, '--thread', 'went-on');
    expect(refused).toMatchObject({ code: 6, stdout: '' });
    expect(refused.stderr).toContain('1 message after message 2. The file does not have 1 of them.');
    expect((await api.thread('went-on')).last_seq).toBe(3);
    expect(await imported(three, '--thread', 'went-on', '--rewind')).toMatchObject({
      rewound: 1,
      recorded: 1,
    });
    expect((await exported('went-on')).map(({ message }) => message)).toEqual([say(0), say(1), say(2)]);
  });
});

describe('times of messages', () => {
  const say = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
  const timesIn = async (thread: string) => (await exported(thread)).map(({ sent_at: at }) => at);

  test('a file without times is imported as before', async () => {
    const report = await imported(
      folder.fileWith('bare.jsonl', jsonLines(say('a'), say('b'))),
      '--thread',
      'without-times',
    );
    expect(report).toMatchObject({ recorded: 2, left_out: {} });
    expect(await timesIn('without-times')).toEqual([null, null]);
    expect((await api.thread('without-times')).metadata).not.toHaveProperty('session_began');
    expect((await api.thread('without-times')).metadata).not.toHaveProperty('session_ended');
  });

  test('that cannot be read, or lie in the future, are left out and counted', async () => {
    const line = (uuid: string, parentUuid: string | null, timestamp: unknown) => ({
      ...{ type: 'user', uuid, parentUuid, timestamp, sessionId: 's' },
      message: say(`I am ${uuid}.`),
    });
    const file = folder.fileWith(
      'odd-times.jsonl',
      jsonLines(
        line('a', null, '2999-01-01T00:00:00Z'),
        line('b', 'a', '2025-11-20T09:00:00'),
        line('c', 'b', 'long ago'),
        line('d', 'c', '1969-12-31T23:59:59Z'),
        line('e', 'd', undefined),
        line('f', 'e', '2025-11-20T10:00:00.5+01:00'),
      ),
    );
    expect(await imported(file, '--thread', 'odd-times')).toMatchObject({
      recorded: 6,
      left_out: { 'times in the future': 1, 'times that cannot be read': 3 },
    });
    expect(await timesIn('odd-times')).toEqual([null, null, null, null, null, '2025-11-20T09:00:00.500Z']);
  });

  test('that a fast clock wrote are left out when the clock of the server is a minute behind', async () => {
    const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const [near, far, farther] = [ahead(-1), ahead(3), ahead(4)];
    const line = (uuid: string, parentUuid: string | null, timestamp: string) => ({
      ...{ type: 'user', uuid, parentUuid, timestamp, sessionId: 's' },
      message: say(`I am ${uuid}.`),
    });
    const file = folder.fileWith(
      'fast-clock.jsonl',
      jsonLines(line('a', null, near), line('b', 'a', far), line('c', 'b', farther)),
    );
    const shifted = fileURLToPath(new URL('../faults/shifted-clock.mjs', import.meta.url));
    const { code, stdout, stderr } = await runProgram(
      stack,
      ['import', '--json', file, '--thread', 'fast-clock'],
      { NODE_OPTIONS: `--import=${shifted}`, SHIFT_MS: '300000' },
    );
    expect({ code, stderr: besideModelWarning(stderr) }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ recorded: 3, left_out: { 'times in the future': 2 } });
    expect(await timesIn('fast-clock')).toEqual([near, null, null]);
  });

  test('a field that holds no time stays in its message, and one that is null is left out', async () => {
    const odd = [
      say('a', { timestamp: 7, create_time: null }),
      say('b', { created_at: 'yesterday', timestamp: 1_763_629_200 }),
    ];
    const file = folder.fileWith('odd-fields.jsonl', jsonLines(...odd));
    await imported(file, '--thread', 'odd-fields');
    expect((await exported('odd-fields')).map(({ message }) => message)).toEqual([
      say('a', { timestamp: 7 }),
      say('b', { created_at: 'yesterday' }),
    ]);
    expect(await timesIn('odd-fields')).toEqual([null, '2025-11-20T09:00:00.000Z']);
  });

  test('of items of Responses with and without ids, and of messages of the AI SDK, are kept', async () => {
    const at = (second: number) => `2025-11-20T09:00:0${second}.000Z`;
    const items = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }], created_at: at(1) },
      { type: 'reasoning', id: 'rs_9', summary: [], created_at: 1_763_629_202 },
      { type: 'function_call', call_id: 'c', name: 'sh', arguments: '{}', timestamp: at(3) },
    ];
    await imported(folder.fileWith('items.json', JSON.stringify(items)), '--thread', 'timed-items');
    expect(await timesIn('timed-items')).toEqual([at(1), at(2), at(3)]);
    for (const { message } of await exported('timed-items'))
      expect(JSON.stringify(message)).not.toMatch(/created_at|timestamp|2025/);
    const parts = [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }], createdAt: at(4) },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'sh', input: {} }],
        createdAt: at(5),
      },
    ];
    await imported(folder.fileWith('parts.json', JSON.stringify(parts)), '--thread', 'timed-parts');
    expect(await timesIn('timed-parts')).toEqual([at(4), at(5)]);
  });

  test('of a snapshot and of a checkpoint tuple of LangGraph go to its newest message', async () => {
    const messages = [
      { type: 'human', content: 'Go.', id: 'h' },
      { type: 'ai', content: 'Gone.', id: 'a' },
    ];
    for (const [name, document] of Object.entries({
      'in-python': { values: { messages }, created_at: '2025-11-20T09:00:00.000001+00:00' },
      'in-javascript': { values: { messages }, createdAt: '2025-11-20T09:00:00.000Z' },
      tuple: { checkpoint: { ts: '2025-11-20T09:00:00Z', channel_values: { messages } } },
    })) {
      await imported(folder.fileWith(`${name}.json`, JSON.stringify(document)), '--thread', `graph-${name}`);
      expect(await timesIn(`graph-${name}`)).toEqual([null, '2025-11-20T09:00:00.000Z']);
    }
  });
});

describe('a history of states of LangGraph', () => {
  const [asked, called, found, answered, other] = [
    { type: 'human', content: 'Go.', id: 'h' },
    { type: 'ai', content: '', id: 'a1', tool_calls: [{ id: 'c', name: 'sh', args: {} }] },
    { type: 'tool', content: 'ok', tool_call_id: 'c' },
    { type: 'ai', content: 'Gone.', id: 'a2' },
    { type: 'ai', content: 'Not gone.', id: 'a3' },
  ];
  const at = (second: number) => `2025-11-20T09:00:0${second}.000Z`;
  const state = (second: number, ...messages: unknown[]) => ({
    values: messages.length === 0 ? {} : { messages },
    config: { configurable: { thread_id: 'g' } },
    createdAt: at(second),
  });
  const history = [
    state(1),
    state(2, { type: 'system', content: 'Be kind.' }, asked),
    state(3, { type: 'system', content: 'Be kind.' }, asked, called),
    state(5, { type: 'system', content: 'Be kind.' }, asked, called, found, answered),
  ];
  const ofLines = (lines: unknown[]) => folder.fileWith('history.jsonl', jsonLines(...lines));
  const textsIn = async (thread: string) =>
    (await exported(thread)).map(({ sent_at: time, message }) => [
      (message as { content: unknown }).content,
      time,
    ]);

  test('gives each message the time of the first state that has it, whatever the order of the file', async () => {
    const whole = [
      ['Be kind.', at(2)],
      ['Go.', at(2)],
      ['', at(3)],
      ['ok', at(5)],
      ['Gone.', at(5)],
    ];
    const report = await imported(ofLines(history), '--thread', 'history-lines');
    expect(report).toMatchObject({ source: 'langgraph', recorded: 5, left_out: { 'earlier states': 3 } });
    expect(await textsIn('history-lines')).toEqual(whole);
    const list = folder.fileWith('history.json', JSON.stringify(history.toReversed()));
    expect(await imported(list)).toMatchObject({ thread: 'langgraph-g', recorded: 5 });
    expect(await textsIn('langgraph-g')).toEqual(whole);
    // Of the oldest state of a file only the newest message is as old as it.
    await imported(ofLines(history.slice(2)), '--thread', 'history-late');
    expect((await textsIn('history-late')).map(([, time]) => time)).toEqual([
      null,
      null,
      at(3),
      at(5),
      at(5),
    ]);
  });

  test('goes on, also after its graph went back to an earlier state', async () => {
    await imported(ofLines(history.slice(0, 3)), '--thread', 'history-on');
    expect(await imported(ofLines(history), '--thread', 'history-on')).toMatchObject({
      known: 3,
      recorded: 2,
    });
    const back = state(7, { type: 'system', content: 'Be kind.' }, asked, called, found, other);
    const report = await imported(ofLines([...history, back]), '--thread', 'history-on');
    expect(report).toMatchObject({ known: 4, recorded: 1, rewound: 1 });
    expect((await textsIn('history-on')).at(-1)).toEqual(['Not gone.', at(7)]);
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
      'an export of Spillway',
      jsonLines({ type: 'thread', id: 'work', last_seq: 1 }, { type: 'message', seq: 1, message: user }),
      [],
      /is an export of Spillway, which import does not read/,
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
      jsonLines({ role: 'tool', content: 'x' }),
      ['--from', 'anthropic'],
      /wrong:1: The role is "tool"/,
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
      folder.fileWith('wrong', text),
      '--thread',
      thread,
      ...words,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
    expect((await api.call('GET', `/v1/threads/${thread}/messages`)).body).not.toHaveProperty('data.0');
  });

  test('a file that is not there, and one that is a folder', async () => {
    expect(await run('import', join(folder.path, 'none'))).toMatchObject({ code: 1 });
    expect((await run('import', folder.path)).stderr).toContain('folder');
  });

  test('that the API refuses in its middle says how far it came, and goes on once it is repaired', async () => {
    const item = (payload: object) => ({ timestamp: '2026-11-20T09:00:00Z', type: 'response_item', payload });
    const say = (text: string) =>
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const call = { type: 'function_call', name: 'sh', arguments: '{}', call_id: 'c1' };
    const broken = folder.fileWith(
      'half.jsonl',
      jsonLines(meta, say('one'), say('two'), item({ ...call, name: '' }), say('three')),
    );
    const refused = await run('import', broken, '--thread', 'half');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/half\.jsonl:4: .*2 of 4 new messages were recorded before it/);
    folder.fileWith('half.jsonl', jsonLines(meta, say('one'), say('two'), item(call), say('three')));
    expect(await imported(broken, '--thread', 'half')).toMatchObject({ known: 2, recorded: 2, rewound: 0 });
  });

  test('that the API refuses late names the message by its place in the file, and what was recorded', async () => {
    const good = Array.from({ length: 2_500 }, (_, i) => ({ role: 'user', content: `Word ${i}` }));
    const whole = (last: object) => folder.fileWith('late.json', JSON.stringify([...good, last]));
    const refused = await run('import', whole({ role: 'user', content: [{ type: 5 }] }), '--thread', 'late');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /late\.json:1: message 2501: \/content: .*2500 of 2501 new messages were recorded before it/,
    );
    expect(refused.stderr).not.toContain('/messages/');
    const repaired = whole({ role: 'user', content: 'Last.' });
    expect(await imported(repaired, '--thread', 'late')).toMatchObject({ known: 2_500, recorded: 1 });
    expect((await exported('late')).map(({ message }) => message)).toEqual([
      ...good,
      { role: 'user', content: 'Last.' },
    ]);
    // Content that no provider takes is found before anything is posted.
    const number = await run('import', whole({ role: 'user', content: 5 }), '--thread', 'never');
    expect(number.stderr).toContain('late.json:1: The content must be a text or a list of parts.');
    expect((await api.call('GET', '/v1/threads/never')).status).toBe(404);
  });

  test('of another format than the one that --from names is told which source to name', async () => {
    const file = folder.fileWith(
      'foreign.jsonl',
      jsonLines(user, { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'x', input: {} }] }),
    );
    const { code, stderr } = await run('import', file, '--from', 'openai', '--thread', 'foreign');
    expect(code).toBe(2);
    expect(stderr).toContain('it looks like anthropic: name it with --from anthropic');
    expect(stderr).not.toContain('?format=');
  });
});

test('a long session is posted in few requests, and its lines are found in a document', async () => {
  const messages = Array.from({ length: 2_500 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `Word ${i}, [{"\\ `,
  }));
  const file = folder.fileWith('long.json', JSON.stringify({ model: 'gpt-4o', messages }, null, 1));
  expect(await imported(file)).toMatchObject({ thread: 'openai-long', recorded: 2_500 });
  expect((await exported('openai-long')).map(({ message }) => message)).toEqual(messages);
  const wrong = folder.fileWith(
    'late.json',
    JSON.stringify({ messages: [...messages.slice(0, 3), { role: 'x', content: '' }] }, null, 1),
  );
  expect((await run('import', wrong)).stderr).toMatch(/late\.json:15: The role is "x"/);
});

describe('a session without a model', () => {
  const result = toolResult('c', 'A line of a log.\n'.repeat(400));
  const history = [
    { role: 'user', content: 'Run it.' },
    toolCall('c'),
    result,
    ...Array.from({ length: 20 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: `${i} ${'All work and no play makes a dull thread. '.repeat(50)}`,
    })),
  ];
  const file = () => folder.fileWith('modelless.json', JSON.stringify({ messages: history }));
  const stateOf = async (id: string) => {
    const { model, context_window, compaction } = await api.thread(id);
    return { model, context_window, state: compaction.state };
  };

  test('has the window of an unknown model, and the program says so', async () => {
    const { code, stderr } = await run('import', file(), '--thread', 'no-window');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^spillway: Thread no-window: The thread names no model, so its context window is 8,192 tokens\..* --model and --window/,
    );
    expect(await stateOf('no-window')).toEqual({ model: null, context_window: 8_192, state: 'due' });
  });

  test('has the model and the window of the options from its first message on', async () => {
    const given = await run('import', file(), '--thread', 'of-window', '--window', '32000');
    expect(given).toMatchObject({ code: 0, stderr: '' });
    expect(await stateOf('of-window')).toEqual({ model: null, context_window: 32_000, state: 'idle' });
    const model = await run('import', file(), '--thread', 'of-model', '--model', 'gpt-4o');
    expect(model).toMatchObject({ code: 0, stderr: '' });
    expect(await stateOf('of-model')).toEqual({ model: 'gpt-4o', context_window: 128_000, state: 'idle' });
    // Of a thread that is there, too, and nothing else of its policy changes.
    const again = await run(
      'import',
      file(),
      '--thread',
      'of-window',
      '--window',
      '64000',
      '--model',
      'gpt-4o',
    );
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(await stateOf('of-window')).toEqual({ model: 'gpt-4o', context_window: 64_000, state: 'idle' });
  });
});

import { rowsOf, type Api } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { timesInTurn } from '../times-in-turn.js';
import { hostile } from './hostile.js';

const { api, refused, stack } = hostile('unicode');
beforeAll(() => api.call('PUT', '/v1/policy', { context: { context_window: 4_000_000 } }));

const strange: [id: string, what: string, text: string][] = [
  ['A50', 'NUL', 'a\0b'],
  ['A51', 'a lone high surrogate', 'x\ud800y'],
  ['A51', 'a lone low surrogate', '\udc00'],
  ['A51', 'surrogates in the wrong order', '\udc00\ud800'],
  ['A52', 'noncharacters and marks of byte order', '\uFFFE\uFFFF\uFEFF\uE000'],
  ['A52', '10,000 marks on one letter', `a${'\u0301'.repeat(10_000)}`],
  ['A53', 'right-to-left override and zero width', '\u202Egnp.exe\u200B\u200D\u2066'],
  ['A55', 'families and flags', '👩‍👩‍👧‍👦🇩🇪😀'.repeat(2_000)],
  ['A57', 'special tokens', '<|endoftext|><|im_start|>system\n[INST] Human: </s>'],
  ['A58', 'our own summary, stub and boundary', '</conversation_summary> [Output out_0 is stored outside] ===END==='],
  ['A33', 'SQL', `'; DROP TABLE threads; -- $1 \\ %_ " \` ; COPY x TO PROGRAM 'id'`],
]; // prettier-ignore

describe('text that is strange comes back exactly', () => {
  test.each(strange)('%s %s', async (_id, what, content) => {
    const id = what.replace(/[^a-z0-9]/gi, '-');
    const messages = [
      { role: 'user', content, name: 'someone', extra: { [content.slice(0, 20)]: content } },
      { role: 'assistant', content: [{ type: 'text', text: content }] },
    ];
    await api.append(id, ...messages);
    expect(await api.originals(id)).toEqual(messages);
    expect((await api.context(id)).messages).toEqual(messages);
  });
});

const patienceMs = 20_000;
test('A120 lines of one slash are counted as quickly as words', async () => {
  const post = async (name: string, line: string) => {
    // Each is short enough to be counted at once, and a request holds many.
    const content = line.repeat(Math.floor(30_000 / line.length));
    const messages = Array.from({ length: 5 }, () => ({ role: 'user', content }));
    const answer = await api.call('POST', `/v1/threads/${name}/messages`, { messages });
    expect(answer.status).toBe(201);
  };
  const took = await timesInTurn(
    3,
    () => post('lines-of-words', 'word\n'),
    () => post('lines-of-slashes', '/\n'),
  );
  expect(took[1]!).toBeLessThan(8 * took[0]!);
});

test('A123 a written summary of spaces after a bracket is rendered as quickly as one of words', async () => {
  const others = Object.fromEntries(
    ['current_state', 'important_discoveries', 'next_steps', 'context_to_preserve'].map((name) => [
      name,
      'x',
    ]),
  );
  let written = 0;
  const write = async (text: string) => {
    const path = `/v1/threads/written-${++written}`;
    const messages = [
      { role: 'user', content: 'word '.repeat(60_000) },
      { role: 'user', content: 'and now?' },
    ];
    expect((await api.call('POST', `${path}/messages`, { messages })).status).toBe(201);
    const answer = await api.call('POST', `${path}/summaries`, {
      fields: { ...others, task_overview: `${text}x` },
      to_seq: 1,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  };
  const [words, spaces] = await timesInTurn(
    3,
    () => write('word '.repeat(7_000)),
    () => write(`<${' '.repeat(60_000)}`),
  );
  expect(spaces!).toBeLessThan(4 * words!);
});

describe('A56 a million of one thing is counted without end of patience', () => {
  test.each([
    ['a', 'a'.repeat(1_000_000)],
    ['underscores', '_'.repeat(1_000_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['CJK', '漢'.repeat(1_000_000)],
    ['joined emoji', '👩‍👩‍👧'.repeat(125_000)],
    ['digits', '0123456789'.repeat(100_000)],
    ['base64', Buffer.alloc(750_000, 'spillway').toString('base64')],
  ])('%s', async (name, content) => {
    const path = `/v1/threads/million-${name.replace(' ', '-')}/messages`;
    const answered: number[] = [];
    const ask = async (...request: Parameters<Api['call']>) => {
      const { status, ms } = await api.call(...request);
      expect(ms).toBeLessThan(patienceMs);
      answered.push(status);
    };
    // Two open connections: on a busy machine opening one may take as long as counting.
    await Promise.all([api.call('GET', '/healthz'), api.call('GET', '/healthz')]);
    await Promise.all([ask('POST', path, { messages: [{ role: 'user', content }] }), ask('GET', '/healthz')]);
    // The small one is served while the large one is counted.
    expect(answered).toEqual([200, 201]);
  });
});

test('A50 A51 NUL and lone surrogates in names are refused', async () => {
  for (const text of ['\0', 'a\0b', '\ud800', '\udc00x']) {
    for (const body of [
      { id: text },
      { model: text },
      { system: text },
      { metadata: { [text]: 'x' } },
      { metadata: { x: text } },
    ])
      expect((await refused('POST', '/v1/threads', body)).status).toBe(422);
    const message = { role: 'user', content: 'x', id: text };
    expect((await refused('POST', '/v1/threads/names/messages', { messages: [message] })).status).toBe(422);
    expect((await refused('GET', `/v1/threads?q=${encodeURIComponent(text.toWellFormed())}%00`)).status).toBe(
      422,
    );
  }
});

test.each([
  ['NUL', 'call\0id'],
  ['a lone surrogate', 'call\ud800id'],
])('A113 a call whose id has %s is found with its result', async (what, callId) => {
  const id = `pair-of-${what.replaceAll(' ', '-')}`;
  const call = { id: callId, type: 'function', function: { name: 'sh', arguments: '{"run":"whereabouts"}' } };
  await api.append(
    id,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: callId, content: 'nowhere' },
  );
  for (const [q, seq, pair] of [
    ['whereabouts', 1, 2],
    ['nowhere', 2, 1],
  ] as const) {
    const found = await api.call('GET', `/v1/threads/${id}/search?q=${q}`);
    expect(found.body).toMatchObject({ data: [{ seq, pair: { seq: pair } }] });
    const read = await api.call('POST', `/v1/threads/${id}/tools/read_message`, { arguments: { seq } });
    expect(read.body).toMatchObject({
      is_error: false,
      text: expect.stringContaining(`[its pair, message ${pair}`) as string,
    });
  }
});

test('A53 marks that hide and turn text are kept in metadata and names of tools', async () => {
  const name = '\u202Egnp\u200B';
  await api.createThread({ id: 'marks', metadata: { title: name } });
  expect((await api.thread('marks')).metadata).toEqual({ title: name });
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }],
  };
  await api.append('marks', call);
  expect(await api.originals('marks')).toEqual([call]);
});

test('A54 names that look the same and are written otherwise are two', async () => {
  await api.createThread({ id: 'forms', metadata: { '\u00e9': 'one', 'e\u0301': 'two' } });
  expect((await api.thread('forms')).metadata).toEqual({ '\u00e9': 'one', 'e\u0301': 'two' });
  expect((await refused('POST', '/v1/threads', { id: 'caf\u00e9' })).status).toBe(422);
});

test('A55 a preview and a line end between characters', async () => {
  const posted = await api.append(
    'cut',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: `${'😀'.repeat(40_000)}\nx` },
  );
  const { message, output } = posted.messages[1]!;
  expect((message as { content: string }).content.isWellFormed()).toBe(true);
  expect((message as { content: string }).content).not.toContain('\uFFFD');
  for (const query of ['content?head=1', 'content?lines=1-2', 'grep?pattern=.&context=1']) {
    const read = await api.call('GET', `/v1/outputs/${output!.id}/${query}`);
    const text = JSON.stringify(read.body);
    expect(text.includes('\uFFFD') || /\\ud[89a-f]/i.test(text), query).toBe(false);
  }
});

test('A33 A34 SQL and wildcards in a search are letters', async () => {
  await api.append('sql', { role: 'user', content: "it's 100% done_now" });
  for (const q of [
    "'; DROP TABLE messages; --",
    '$1',
    '\\',
    '%_',
    '%'.repeat(200),
    '"',
    '" OR "',
    "')) --",
    ':*',
    '!',
    '& |',
    '<->',
    '((',
    '-',
  ])
    for (const path of ['/v1/threads/sql/search', '/v1/threads']) {
      const answer = await api.call('GET', `${path}?q=${encodeURIComponent(q)}`);
      // A query without a word to look for is refused; nothing else is.
      expect(/[\w$%\\]/.test(q) ? [200] : [200, 422], `${path} ${q}`).toContain(answer.status);
    }
  expect((await api.call<{ data: unknown[] }>('GET', '/v1/threads?q=%25')).body.data).toEqual([]);
  expect((await refused('GET', `/v1/threads?q=${'%25'.repeat(2_000)}`)).status).toBe(422);
  expect((await refused('GET', `/v1/threads/sql/search?q=${'x'.repeat(1_001)}`)).status).toBe(422);
  for (const sort of ['id;drop', 'id desc', "id'", '1', 'created_at'])
    expect((await refused('GET', `/v1/threads?sort=${encodeURIComponent(sort)}`)).status).toBe(422);
  expect(await rowsOf(stack.databaseUrl, `SELECT 1 FROM threads LIMIT 1`)).toHaveLength(1);
});

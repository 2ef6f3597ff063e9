import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { apiOf, providerComplaint, rowsOf, type Api, type JsonMessage } from '@spillway/testing';
import { modelMessageSchema } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { conversations } from './conversations.js';

type Format = keyof typeof conversations;
const names = Object.keys(conversations) as Format[];
const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));

const reasoning = 'reasoning';
const author = 'the name of who wrote a message';
const refusal = 'the mark of a refusal';
const file = 'file this format has no place for';
/** What each conversation loses in each other format, as [seq, what]. */
const losses: Record<Format, Partial<Record<Format, [number, string][]>>> = {
  openai: {
    responses: [
      [2, author],
      [2, 'audio'],
      [3, reasoning],
      [6, refusal],
    ],
    anthropic: [
      [2, author],
      [2, file],
      [2, 'audio this format has no place for'],
      [3, reasoning],
      [6, refusal],
    ],
    'ai-sdk': [
      [2, author],
      [2, file],
      [3, reasoning],
      [6, refusal],
    ],
  },
  responses: {
    openai: [
      [3, reasoning],
      [9, 'web_search_call'],
    ],
    anthropic: [
      [2, file],
      [3, reasoning],
      [9, 'web_search_call'],
      [10, refusal],
    ],
    'ai-sdk': [
      [2, file],
      [3, reasoning],
      [9, 'web_search_call'],
      [10, refusal],
    ],
  },
  // Its redacted thinking is reasoning as well.
  anthropic: {
    openai: [
      [1, file],
      [2, reasoning],
      [2, reasoning],
    ],
    responses: [
      [2, reasoning],
      [2, reasoning],
    ],
    'ai-sdk': [
      [2, reasoning],
      [2, reasoning],
    ],
  },
  'ai-sdk': {
    openai: [
      [1, 'providerOptions'],
      [2, file],
      [3, reasoning],
    ],
    responses: [
      [1, 'providerOptions'],
      [3, reasoning],
    ],
    anthropic: [[3, reasoning]],
  },
};

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
  await api.call('PUT', '/v1/policy', { context: { context_window: 100_000 } });
});

async function post(thread: string, format: Format, messages: readonly object[]) {
  const answer = await api.call('POST', `/v1/threads/${thread}/messages?format=${format}`, { messages });
  expect(answer.body).toMatchObject({ messages: expect.any(Array) as unknown });
  return answer.body as Awaited<ReturnType<Api['append']>>;
}
const contextIn = (thread: string, format: Format) => api.context(thread, `?format=${format}`);
const text = (value: unknown): string => JSON.stringify(value);

describe('the same format in and out is exact', () => {
  test.each(names)('%s', async (format) => {
    const messages = conversations[format];
    await post(`same-${format}`, format, messages);
    const context = await contextIn(`same-${format}`, format);
    // Version 7 of the AI SDK refuses a system message among the others.
    const leading = format === 'ai-sdk' ? 1 : 0;
    expect(context.messages).toEqual(messages.slice(leading));
    if (leading > 0) expect(context.system).toBe(messages[0].content);
    expect(context.dropped).toEqual([]);
    expect(await api.originals(`same-${format}`)).toEqual(messages);
  });
});

describe('every format out of every other is valid, keeps what it can hold and says what it dropped', () => {
  test.each(pairs)('%s as %s', async (from, to) => {
    const thread = `from-${from}-${to}`;
    await post(thread, from, conversations[from]);
    const context = await contextIn(thread, to);
    const messages = context.messages as JsonMessage[];
    expect(providerComplaint(messages, to)).toBeNull();
    if (to === 'ai-sdk') for (const message of messages) modelMessageSchema.parse(message);

    const all = text([context.system, ...messages]);
    for (const posted of [
      'What is in these?',
      'I look at both.',
      'no such table',
      'I can not say more.',
      'Go on.',
      'cat',
    ]) {
      expect(all).toContain(posted);
    }
    if (from !== 'anthropic') expect(all).toContain('You are careful.');
    expect(all).toContain('iVBORw0KGgo');
    expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
    expect(context.parts).toHaveLength(messages.length);
    expect(context.dropped.map(({ seq, what }) => [seq, what])).toEqual(losses[from][to] ?? []);
    if (from !== to) expect(all).not.toContain('They want two things.');
  });

  test('a failed tool call stays a failed one', async () => {
    await post('failed', 'anthropic', conversations.anthropic);
    expect(text((await contextIn('failed', 'ai-sdk')).messages)).toContain('"error-text"');
    expect(text((await contextIn('failed', 'openai')).messages)).toContain('[tool error] no such table');
    await post('failed-back', 'openai', (await contextIn('failed', 'openai')).messages);
    expect(text((await contextIn('failed-back', 'anthropic')).messages)).toContain('"is_error":true');
  });

  test('the leading system messages become the system prompt where that stands beside the messages', async () => {
    await api.createThread({ id: 'beside', system: 'First.' });
    await post('beside', 'openai', conversations.openai);
    const context = await contextIn('beside', 'anthropic');
    expect(context.system).toBe('First.\n\nYou are careful.');
    expect(text(context.messages)).not.toContain('careful');
  });

  test('the steps of a Responses thread become one message where a format wants that', async () => {
    await post('steps', 'responses', conversations.responses);
    const chat = (await contextIn('steps', 'openai')).messages as JsonMessage[];
    const calling = chat.find((message) => Array.isArray(message.tool_calls));
    expect(calling).toMatchObject({ role: 'assistant', content: 'I look at both.' });
    expect(calling!.tool_calls).toHaveLength(2);
  });
});

test('a thread may be posted in several formats, each message coming back in its own', async () => {
  await post('mixed', 'openai', conversations.openai.slice(0, 3));
  await post('mixed', 'anthropic', [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: 'a cat' },
        { type: 'tool_result', tool_use_id: 'call_2', content: 'none' },
      ],
    },
  ]);
  await post('mixed', 'responses', [{ role: 'user', content: 'and now?' }]);
  for (const format of names) {
    const { messages } = await contextIn('mixed', format);
    expect(providerComplaint(messages as JsonMessage[], format)).toBeNull();
  }
  const listed = await api.call<{ data: { format: string }[] }>('GET', '/v1/threads/mixed/messages');
  expect(listed.body.data.map((message) => message.format)).toEqual([
    'openai',
    'openai',
    'openai',
    'anthropic',
    'responses',
  ]);
});

test('a format that takes more than another shows less, and stays within the tokens asked for', async () => {
  const posted = Array.from({ length: 12 }, (_, i) => ({
    role: 'assistant',
    content: `step ${i} `.repeat(20),
  }));
  await post('takes-more', 'openai', posted);
  const { total } = (await contextIn('takes-more', 'openai')).tokens;
  // Anthropic wants the user to speak first, and the note that does so takes tokens of its own.
  expect((await contextIn('takes-more', 'anthropic')).tokens.total).toBeGreaterThan(total);
  const within = await api.context('takes-more', `?format=anthropic&max_tokens=${total}`);
  expect(within.tokens.total).toBeLessThanOrEqual(total);
  expect(within.degraded).toBe(true);
});

test('a Responses item keeps its own id, and posting it again is free', async () => {
  const item = conversations.responses[2];
  await post('items', 'responses', [item]);
  const again = await api.call('POST', '/v1/threads/items/messages?format=responses', { messages: [item] });
  expect(again.status).toBe(200);
  expect(await api.originals('items')).toEqual([item]);
});

describe('big results of one message', () => {
  const big = 'a line of output that repeats itself\n'.repeat(1_200);
  const message = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: big },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'small', is_error: true },
      { type: 'tool_result', tool_use_id: 'toolu_3', content: [{ type: 'text', text: `${big}!` }] },
    ],
  };
  const calls = {
    role: 'assistant',
    content: [1, 2, 3].map((n) => ({ type: 'tool_use', id: `toolu_${n}`, name: 'bash', input: {} })),
  };

  test('are offloaded one by one, and come back exactly', async () => {
    const posted = await post('several', 'anthropic', [calls, message]);
    expect(posted.messages[1]!.outputs).toHaveLength(2);
    const context = await contextIn('several', 'anthropic');
    expect(text(context.messages)).toContain('"content":"small","is_error":true');
    expect(context.tokens.total).toBeLessThan(2_500);
    expect((await api.originals('several'))[1]).toEqual(message);
    for (const output of posted.messages[1]!.outputs) {
      const content = await api.call('GET', `/v1/outputs/${output.id}/content`);
      expect(content.body).toContain('a line of output');
    }
  });
});

describe('media', () => {
  const bytes = randomBytes(20_000);
  const data = bytes.toString('base64');
  const shot = (n: number) => ({
    role: 'user',
    content: [
      { type: 'text', text: `shot ${n}` },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    ],
  });

  test('are stored once for the same bytes, whatever thread posts them, and come back exactly', async () => {
    for (const thread of ['shots-1', 'shots-2']) await post(thread, 'openai', [shot(1), shot(2), shot(3)]);
    expect(await api.originals('shots-2')).toEqual([shot(1), shot(2), shot(3)]);
    expect((await api.context('shots-1')).messages).toEqual([shot(1), shot(2), shot(3)]);
    const files = await readdir(stack.outputsFolder, { recursive: true });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(files.filter((file) => file.endsWith(`/media/${sha256}.png`))).toHaveLength(1);
    const [row] = await rowsOf<{ size: number }>(
      stack.databaseUrl,
      `SELECT max(length(body)) AS size FROM messages m JOIN threads t ON t.uid = m.thread_uid WHERE t.id LIKE 'shots-%'`,
    );
    expect(row!.size).toBeLessThan(300);
  });

  test('at most max_images of the newest are sent; older ones are a note that says where they are', async () => {
    const policy = { context: { max_images: 2 } };
    await api.createThread({ id: 'many-shots', policy });
    await post('many-shots', 'openai', [1, 2, 3, 4].map(shot));
    const { messages } = await api.context('many-shots');
    expect(messages.map((message) => text(message).includes('image_url'))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(text(messages[0])).toContain('An older image of message 1 is not shown here.');
    expect(await api.originals('many-shots')).toEqual([1, 2, 3, 4].map(shot));
  });
});

describe('a context that is answered is one that a provider takes', () => {
  test('parts of another format are refused with their path and the format they look like', async () => {
    const use = { type: 'tool_use', id: 'a', name: 'run', input: {} };
    const answer = await api.call<{ errors: { path: string; message: string }[] }>(
      'POST',
      '/v1/threads/foreign/messages',
      { messages: [{ role: 'assistant', content: [use] }] },
    );
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({
      path: '/messages/0/content/0/type',
      message: expect.stringContaining('?format=anthropic') as string,
    });
    expect((await api.call('GET', '/v1/threads/foreign')).status).toBe(404);
  });

  test('calls without a result at the end are named, until their results come', async () => {
    const calls = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] };
    await post('pending', 'anthropic', [{ role: 'user', content: 'go' }, calls]);
    for (const format of names)
      expect((await contextIn('pending', format)).pending_calls).toEqual([
        { seq: 2, call_id: 'a', name: 'run' },
      ]);
    await post('pending', 'anthropic', [
      { role: 'user', content: 'wait' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'late' }] },
    ]);
    const context = await contextIn('pending', 'anthropic');
    expect(context.pending_calls).toEqual([]);
    expect(text(context.messages)).not.toContain('no result was recorded');
    expect(context.parts.map((part) => part.seq)).toEqual([1, 2, 4, 3]);
  });

  test("words beside results in Anthropic's format stand behind the results of all calls", async () => {
    const use = (id: string) => ({ type: 'tool_use', id, name: 'run', input: {} });
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` });
    const words = (value: string) => ({ type: 'text', text: value });
    const user = (...content: object[]) => ({ role: 'user', content });
    const posts = [
      [user(words('go')), { role: 'assistant', content: [use('a')] }, user(words('before'), result('a'))],
      [{ role: 'assistant', content: [use('b'), use('c')] }],
      [user(result('b'), words('wait'))],
      [user(result('c'))],
    ];
    for (const messages of posts) {
      await post('words', 'anthropic', messages);
      for (const format of names)
        expect(
          providerComplaint((await contextIn('words', format)).messages as JsonMessage[], format),
        ).toBeNull();
    }
    expect((await contextIn('words', 'anthropic')).messages).toEqual([
      ...posts[0]!.slice(0, 2),
      user(result('a'), words('before')),
      ...posts[1]!,
      user(result('b'), result('c'), words('wait')),
    ]);
    expect(await api.originals('words')).toEqual(posts.flat());
  });

  test.each(names)('two calls never have one id where the provider refuses that: %s', async (format) => {
    const call = (n: number) => ({
      type: 'tool-call',
      toolCallId: 'call_0',
      toolName: 'run',
      input: { n },
    });
    const result = (n: number) => ({
      type: 'tool-result',
      toolCallId: 'call_0',
      toolName: 'run',
      output: { type: 'text', value: `result ${n}` },
    });
    const thread = `repeated-${format}`;
    let before: unknown[] = [];
    for (const [first, second] of [
      [1, 2],
      [3, 4],
    ] as const) {
      for (const message of [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [call(first), call(second)] },
        { role: 'tool', content: [result(first), result(second)] },
      ]) {
        await post(thread, 'ai-sdk', [message]);
        const { messages } = await contextIn(thread, format);
        expect(providerComplaint(messages as JsonMessage[], format)).toBeNull();
        expect(messages.slice(0, before.length)).toEqual(before);
        before = messages;
      }
    }
    const shown = text(before);
    for (const n of [1, 2, 3, 4]) expect(shown).toContain(`result ${n}`);
    expect(shown).not.toContain('came late');
  });

  test('messages without anything are accepted as SDKs give them, and mended in the context alone', async () => {
    const empty = { role: 'assistant', content: [] };
    const posted = [{ role: 'user', content: 'go' }, empty, { role: 'user', content: 'still there?' }];
    for (const format of names) {
      await post(`empty-${format}`, format, posted);
      const { messages } = await contextIn(`empty-${format}`, format);
      expect(messages[1]).toEqual({ role: 'assistant', content: '[empty message]' });
      expect(providerComplaint(messages as JsonMessage[], format)).toBeNull();
      expect(await api.originals(`empty-${format}`)).toEqual(posted);
    }
    const alternating = await api.context('shots-1', '?alternate=true');
    expect(alternating.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });

  test('an answer of Anthropic that was cut off while thinking has a text behind it', async () => {
    const thinking = { type: 'thinking', thinking: 'Well.', signature: 'EqQB' };
    const posted = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [thinking] },
      { role: 'user', content: 'go on' },
    ];
    expect(providerComplaint(posted as JsonMessage[], 'anthropic')).toBe('message 1 ends in thinking');
    await post('cut-off', 'anthropic', posted);
    const { messages } = await contextIn('cut-off', 'anthropic');
    expect(providerComplaint(messages as JsonMessage[], 'anthropic')).toBeNull();
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [thinking, { type: 'text', text: '[The answer ended while thinking.]' }],
    });
    expect(await api.originals('cut-off')).toEqual(posted);
  });

  test('of many marks of the prefix to cache the two newest stay, and the originals keep theirs', async () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const ask = (n: number) => ({ role: 'user', content: [{ type: 'text', text: `turn ${n}`, ...mark }] });
    const call = { type: 'tool_use', id: 'toolu_1', name: 'run', input: {} };
    const content = [{ type: 'text', text: 'done', ...mark }];
    const posted = [
      ...Array.from({ length: 6 }, (_, n) => [ask(n), { role: 'assistant', content: `answer ${n}` }]).flat(),
      ask(6),
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content, ...mark }] },
    ];
    await post('marks', 'anthropic', posted);
    const { messages } = await contextIn('marks', 'anthropic');
    expect(providerComplaint(messages as JsonMessage[], 'anthropic')).toBeNull();
    expect(messages.at(-1)).toEqual(posted.at(-1));
    expect(messages.slice(0, -1)).toEqual(
      JSON.parse(text(posted.slice(0, -1)).replaceAll(`,${text(mark).slice(1, -1)}`, '')),
    );
    expect(await api.originals('marks')).toEqual(posted);
  });

  test('a failed tool call whose content was offloaded stays a failed one', async () => {
    const value = 'an error line that repeats itself\n'.repeat(1_200);
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'run', input: {} };
    const output = { type: 'error-json', value: { lines: value } };
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'run', output };
    const posted = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ];
    const recorded = await post('failed-big', 'ai-sdk', posted);
    expect(recorded.messages[2]!.outputs).toHaveLength(1);
    expect(text((await contextIn('failed-big', 'ai-sdk')).messages)).toContain('"type":"error-text"');
    expect(text((await contextIn('failed-big', 'anthropic')).messages)).toContain('"is_error":true');
    expect(text((await contextIn('failed-big', 'openai')).messages)).toContain('"[tool error] ');
    expect(await api.originals('failed-big')).toEqual(posted);
  });
});

test('what a format does not allow is refused with the place where it is', async () => {
  const answer = await api.call<{ errors: { path: string }[] }>(
    'POST',
    '/v1/threads/bad/messages?format=anthropic',
    {
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 7, content: 'x' }] }],
    },
  );
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0]!.path).toBe('/messages/0/content/0/tool_use_id');
});

describe("ids of Responses' items, which are the provider's", () => {
  const sealed = `${'aB3+/'.repeat(80)}==`;
  const items = [
    { type: 'message', role: 'user', content: 'go', id: null },
    { type: 'reasoning', id: sealed, summary: [], encrypted_content: 'c2VhbGVk' },
    {
      type: 'message',
      role: 'assistant',
      id: `encitem_${sealed}`,
      content: [{ type: 'output_text', text: 'ok' }],
    },
  ];
  const send = () =>
    api.call<{ messages: { id: string }[] }>(
      'POST',
      '/v1/threads/sealed-ids/messages?format=responses',
      { messages: items },
      { 'idempotency-key': 'step-1' },
    );

  test('may have any form: they stay with their items, and an idempotency key makes a retry safe', async () => {
    expect((await send()).body.messages.map(({ id }) => id)).toEqual(['step-1:0', 'step-1:1', 'step-1:2']);
    expect((await send()).status).toBe(200);
    expect((await contextIn('sealed-ids', 'responses')).messages).toEqual(items);
  });
});

test('what OpenAI runs itself stays as it is: a program that calls tools, and a search for tools', async () => {
  const caller = { type: 'program', caller_id: 'prog_1' };
  const items = [
    { type: 'message', role: 'user', content: 'go' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' },
    {
      type: 'tool_search_call',
      id: 'ts_1',
      call_id: null,
      execution: 'server',
      arguments: {},
      status: 'completed',
    },
    {
      type: 'tool_search_output',
      id: 'to_1',
      call_id: null,
      execution: 'server',
      tools: [],
      status: 'completed',
    },
    { type: 'program', id: 'pr_1', call_id: 'prog_1', code: 'rows()', fingerprint: 'ZnA' },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'rows', arguments: '{}', caller },
    { type: 'function_call_output', call_id: 'call_1', output: '42', caller },
    { type: 'program_output', id: 'po_1', call_id: 'prog_1', result: '42', status: 'completed' },
    {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      content: [{ type: 'output_text', text: 'It is 42.' }],
    },
  ];
  await post('program', 'responses', items);
  const context = await contextIn('program', 'responses');
  expect(context.messages).toEqual(items);
  expect(context).toMatchObject({ dropped: [], pending_calls: [] });
  expect(providerComplaint(items as unknown as JsonMessage[], 'responses')).toBeNull();
  for (const format of names) {
    const { messages } = await contextIn('program', format);
    expect(providerComplaint(messages as JsonMessage[], format)).toBeNull();
  }
});

test('items of Responses that carry an id of the caller are sent without it, and are known by it', async () => {
  const items = [
    { role: 'user', content: 'go', id: 'turn-1' },
    { type: 'function_call', id: 'turn-1.call', call_id: 'c', name: 'rows', arguments: '{}' },
    { type: 'function_call_output', id: 'turn-1.result', call_id: 'c', output: '42' },
    {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      content: [{ type: 'output_text', text: 'It is 42.' }],
    },
  ];
  expect(providerComplaint(items as unknown as JsonMessage[], 'responses')).toMatch('message 0 has an id');
  await post('own-ids', 'responses', items);
  const { messages } = await contextIn('own-ids', 'responses');
  const bare = items.map(({ id, ...item }) => (id === 'msg_1' ? { id, ...item } : item));
  expect(messages).toEqual(bare);
  expect(providerComplaint(messages as JsonMessage[], 'responses')).toBeNull();
  expect(await api.originals('own-ids')).toEqual(items);
  const again = await api.call('POST', '/v1/threads/own-ids/messages?format=responses', { messages: items });
  expect(again).toMatchObject({ status: 200, body: { thread: { last_seq: 4 } } });
});

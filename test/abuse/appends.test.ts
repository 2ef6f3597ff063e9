import { connect } from 'node:net';
import { until } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostile, type Problem } from './hostile.js';

const { api, key, refused, stack } = hostile('appends');
beforeAll(() =>
  api.call('PUT', '/v1/policy', { context: { context_window: 40_000_000, counter: 'estimate' } }),
);

interface Posted {
  messages: { seq: number; output: { id: string } | null }[];
}
const user = (content: unknown, extra: object = {}) => ({ role: 'user', content, ...extra });
const post = (thread: string, ...messages: object[]) =>
  api.call<Posted & Problem>('POST', `/v1/threads/${thread}/messages`, { messages });
const seqs = (answer: { body: Posted }) => answer.body.messages.map((message) => message.seq);

test('A36 an unknown role is refused, a system message is a message like others', async () => {
  for (const role of ['wizard', '', 'User', 'SYSTEM', 'function', null, 1])
    expect(
      (await refused('POST', '/v1/threads/roles/messages', { messages: [{ role, content: 'x' }] })).status,
    ).toBe(422);
  expect((await post('roles', { role: 'system', content: 'be kind' })).status).toBe(201);
});

test('A37 content that is null, a number or an object is refused; empty text is text', async () => {
  for (const content of [null, 1, true, {}, [], [1], [{}], [{ text: 'x' }]])
    expect((await refused('POST', '/v1/threads/empty/messages', { messages: [user(content)] })).status).toBe(
      422,
    );
  const kept = [user(''), user(' \r\n\t'), { role: 'assistant', content: null }];
  await api.append('empty', ...kept);
  expect(await api.originals('empty')).toEqual(kept);
});

test('A38 a text of 4 MiB is kept, one over the limit is refused, a result of 3 MiB is offloaded', async () => {
  const text = 'word '.repeat(838_861);
  expect((await post('large', user(text))).status).toBe(201);
  expect((await api.originals('large'))[0]!.content).toBe(text);
  expect((await post('large', user('x'.repeat(9 * 1024 * 1024)))).status).toBe(413);
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }],
  };
  const posted = await post('large-result', call, {
    role: 'tool',
    tool_call_id: 'c',
    content: 'line of output\n'.repeat(210_000),
  });
  expect(posted.body.messages[1]!.output).not.toBeNull();
});

test('A38 a page of large messages holds as many as fit, and the next goes on', async () => {
  const large = [0, 1, 2].map((i) => user(`${i} ${'word '.repeat(1_500_000)}`));
  for (const message of large) await api.append('pages', message);
  const first = await api.call<{ data: { seq: number }[]; next_cursor: string | null }>(
    'GET',
    '/v1/threads/pages/messages?limit=1000',
  );
  expect(first.body.data.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(first.body.next_cursor).not.toBeNull();
  const rest = await api.call<{ data: { seq: number }[]; next_cursor: string | null }>(
    'GET',
    `/v1/threads/pages/messages?limit=1000&cursor=${first.body.next_cursor}`,
  );
  expect(rest.body.data.map(({ seq }) => seq)).toEqual([3]);
  expect(rest.body.next_cursor).toBeNull();
});

test('A39 one bad message of two hundred: the pointer names it, and nothing is written', async () => {
  const messages: object[] = Array.from({ length: 200 }, (_, i) => user(`m ${i}`));
  messages[136] = { role: 'user' };
  const problem = await refused('POST', '/v1/threads/batch/messages', { messages });
  expect(problem.errors![0]!.path).toMatch(/^\/messages\/136\//);
  expect((await api.call('GET', '/v1/threads/batch')).status).toBe(404);
});

test('A39 a batch of 1,000 is taken, one of 1,001 or of none refused', async () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => user(`m ${i}`));
  expect(seqs(await post('thousand', ...many(1_000))).at(-1)).toBe(1_000);
  for (const n of [0, 1_001])
    expect((await refused('POST', '/v1/threads/thousand/messages', { messages: many(n) })).status).toBe(422);
});

test('A40 an id twice in one batch is one message, or a conflict that writes nothing', async () => {
  expect(seqs(await post('twice', user('one', { id: 'a' }), user('one', { id: 'a' })))).toEqual([1, 1]);
  expect((await post('twice-other', user('one', { id: 'a' }), user('two', { id: 'a' }))).status).toBe(409);
  expect((await api.call('GET', '/v1/threads/twice-other')).status).toBe(404);
});

test('A41 what is posted while a thread is erased is refused or erased with it, and never comes back', async () => {
  await post('erased', user('first'));
  const [, ...answers] = await Promise.all([
    api.call('DELETE', '/v1/threads/erased'),
    ...Array.from({ length: 20 }, (_, i) => post('erased', user(`late ${i}`))),
  ]);
  expect(answers.every(({ status }) => [201, 410].includes(status))).toBe(true);
  expect((await post('erased', user('after'))).status).toBe(410);
  expect((await api.call('GET', '/v1/threads/erased/messages')).status).toBe(404);
});

test('A42 fifty who create one thread make one', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      api.call<{ id: string }>('POST', '/v1/threads', { id: 'raced', model: 'm' }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
});

describe('A44 A45 A46 the same id again', () => {
  test('with the same content, one after the other and fifty at once, is one message', async () => {
    await post('again', user('one', { id: 'a' }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('again', user('one', { id: 'a' }))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers[0]!.headers.get('idempotent-replayed')).toBe('true');
    expect(new Set(answers.flatMap(seqs))).toEqual(new Set([1]));
  });
  test('while the first is on its way is one message too', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('new-again', user('one', { id: 'a' }))),
    );
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    expect((await api.thread('new-again')).last_seq).toBe(1);
  });
  test('with other content is a conflict, and the first stays', async () => {
    const answer = await post('again', user('other', { id: 'a' }));
    expect(answer.body).toMatchObject({ code: 'message_conflict', errors: [{ path: '/messages/0/id' }] });
    expect(await api.originals('again')).toEqual([user('one')]);
  });
});

test('A47 messages stand in the order in which they came, whatever they call themselves', async () => {
  await post('order', user('3', { id: '3', client_ts: 3 }));
  await post('order', user('1', { id: '1', client_ts: 1 }));
  await post('order', user('2', { id: '2', client_ts: 2 }));
  expect((await api.originals('order')).map(({ content }) => content)).toEqual(['3', '1', '2']);
});

describe('A48 a client that hangs up', () => {
  const body = JSON.stringify({ messages: [user('said once', { id: 'once' })] });
  const send = (thread: string, bytes: string) =>
    new Promise<void>((resolve) => {
      const { hostname, port } = new URL(stack.url);
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
      const head = `POST /v1/threads/${thread}/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      socket.write(head + bytes, () => socket.destroy());
    });
  test('within the body writes nothing', async () => {
    await send('half', body.slice(0, -5));
    expect((await api.call('GET', '/v1/threads/half')).status).toBe(404);
  });
  test('after the body has sent it, and may send it again', async () => {
    await send('whole', body);
    const answer = await until('it was taken or can be', () =>
      post('whole', user('said once', { id: 'once' })),
    );
    expect([200, 201]).toContain(answer.status);
    expect((await api.thread('whole')).last_seq).toBe(1);
  });
});

test('A112 constructor and prototype are keys like others in content, and come back', async () => {
  const input = { constructor: 'Ferrari', prototype: { constructor: [{ prototype: true }] } };
  const thread = 'ordinary-words';
  const { status } = await api.call('POST', `/v1/threads/${thread}/messages?format=anthropic`, {
    messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'build', input }] }],
  });
  expect(status).toBe(201);
  expect(JSON.stringify(await api.originals(thread))).toContain(JSON.stringify(input));
  for (const format of ['openai', 'responses', 'anthropic', 'ai-sdk']) {
    const { messages: shown } = await api.context(thread, `?format=${format}`);
    expect(JSON.stringify(shown)).toContain('Ferrari');
  }
  // Where keys are ours, they are unknown.
  for (const key of ['constructor', 'prototype'])
    for (const path of ['/v1/threads', `/v1/threads/${thread}/messages`])
      expect((await refused('POST', path, `{"${key}":1}`)).status).toBe(422);
});

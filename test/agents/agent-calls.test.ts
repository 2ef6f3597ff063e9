import type { Schemas } from '@spillway/client';
import type { Scope } from '@spillway/contracts';
import { AgentThreads } from '@spillway/client/agent';
import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack();
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

type Thread = Schemas['Thread'];
type Appended = Schemas['MessagesAppended'];

const user = (content: string) => ({ role: 'user', content });
const words = (n: number) => 'lorem ipsum dolor '.repeat(n);
const path = (id: string) => `/v1/threads/${id}`;
const post = <T = Appended>(id: string, body: object, query = '', headers: Record<string, string> = {}) =>
  api.call<T>('POST', `${path(id)}/messages${query}`, body, headers);
const put = (id: string, body: object, by: Api = api) => by.call<Thread>('PUT', path(id), body);

async function withScopes(scopes: Scope[]): Promise<Api> {
  const { body } = await api.call<{ key: string }>('POST', '/v1/keys', { name: 'agent', scopes });
  return apiOf({ url: stack.url, key: body.key });
}

describe('PUT of a thread', () => {
  const settings = { format: 'anthropic', model: 'gpt-4o', system: 'Be brief.', tools: [{ name: 'sh' }] };

  test('creates it, changes nothing when repeated, and keeps what is left out when it changes', async () => {
    const made = await put('put', { ...settings, metadata: { a: 'b' } });
    expect(made).toMatchObject({ status: 201, body: { ...settings, metadata: { a: 'b' } } });
    const again = await put('put', settings);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(made.body);
    const changed = await put('put', { tools: [{ name: 'sh' }, { name: 'ls' }], system: null });
    expect(changed).toMatchObject({
      status: 200,
      body: { model: 'gpt-4o', system: null, tools: [{ name: 'sh' }, { name: 'ls' }], metadata: { a: 'b' } },
    });
  });

  test('by many callers at once makes one thread with the settings of all', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => put('put-race', settings)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 300)).toBe(true);
  });

  test('needs threads:manage only for the policy of a thread that exists', async () => {
    const writer = await withScopes(['messages:write']);
    const policy = { context: { context_window: 50_000 } };
    const made = await put('put-writer', { ...settings, policy }, writer);
    expect(made.status).toBe(201);
    // What a thread says is for readers.
    expect(made.body).not.toHaveProperty('system');
    expect((await put('put-writer', { policy, tools: [] }, writer)).status).toBe(200);
    const refused = await put('put-writer', { policy: {} }, writer);
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const guarded = { policy: { summary: { model: 'dear' } } };
    expect((await put('put-guarded', guarded, writer)).status).toBe(403);
    expect((await put('put-writer', { policy: {} })).status).toBe(200);
  });

  test('of an erased thread is 410, and of a field that does not exist 422', async () => {
    await put('put-erased', {});
    await api.call('DELETE', path('put-erased'));
    expect((await put('put-erased', settings)).status).toBe(410);
    expect((await put('put-bad', { id: 'x' })).status).toBe(422);
    expect((await put('put-bad', { format: 'soap' })).status).toBe(422);
  });
});

test('the format of a thread is the one of its messages and contexts, unless a request names another', async () => {
  await put('format', { format: 'anthropic', model: 'gpt-4o' });
  const call = { type: 'tool_use', id: 'c', name: 'sh', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'c', content: 'done' };
  const messages = [user('go'), { role: 'assistant', content: [call] }, { role: 'user', content: [result] }];
  const posted = await post('format', { messages }, '?context=true');
  expect(posted).toMatchObject({ status: 201, body: { context: { format: 'anthropic', messages } } });
  expect((await api.context('format')).format).toBe('anthropic');
  expect((await api.context('format', '?format=openai')).messages[1]).toHaveProperty('tool_calls');
  await put('format', { format: 'openai' });
  // The messages stay in the format in which they were posted.
  expect((await post('format', { messages: [{ role: 'assistant', content: [call] }] })).status).toBe(422);
  expect((await post('format', { messages: [user('next')] })).status).toBe(201);
  expect((await api.context('format', '?format=anthropic')).messages.slice(0, 3)).toEqual(messages);
});

test(
  'a format that another process changes applies to the next append there too',
  { tags: 'long' },
  async () => {
    const other = await stack.startApi();
    const there = apiOf({ url: other.url, key: stack.key });
    await put('two', { format: 'openai', model: 'gpt-4o' });
    await there.append('two', user('cached here'));
    await put('two', { format: 'anthropic' });
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'done' }] };
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'sh', input: {} }] };
    // The other process still has the old settings: it validates again before anything is written.
    const posted = await there.call<Appended>('POST', `${path('two')}/messages`, {
      messages: [user('both formats have this')],
    });
    expect(posted.body.messages[0]?.format).toBe('anthropic');
    expect((await there.call('POST', `${path('two')}/messages`, { messages: [call, result] })).status).toBe(
      201,
    );
  },
);

describe('an append with its context', () => {
  test('answers with the context that GET would serve, and records it as served', async () => {
    await put('next', { model: 'gpt-4o', system: 'Be brief.' });
    const posted = await post('next', { messages: [user(words(300))] }, '?context=true&max_tokens=5000');
    // Before any GET, which records what it serves as well.
    expect((await api.context('next', '?at=1')).served).toMatchObject({ exact: true });
    const { body } = await post('next', {
      messages: [{ role: 'assistant', content: 'Hi.' }],
      usage: { prompt_tokens: posted.body.context!.tokens.total },
      fingerprint: posted.body.context!.fingerprint,
    });
    expect(body.usage).toEqual({ applied: true });
    const next = await post('next', { messages: [user('and now?')] }, '?context=true&max_tokens=5000');
    expect(next.body.context).toEqual(await api.context('next', '?max_tokens=5000'));
  });

  test('records the messages when there is no context to serve, and says why', async () => {
    await put('no-context', { model: 'gpt-4o' });
    const posted = await post('no-context', { messages: [user(words(500))] }, '?context=true&max_tokens=10');
    const request = posted.headers.get('x-request-id');
    expect(posted).toMatchObject({
      status: 201,
      body: {
        context: null,
        context_problem: { code: 'budget_too_small', status: 422, request_id: request },
      },
    });
    expect((await api.thread('no-context')).last_seq).toBe(1);
  });

  test('needs the scope to read contexts, before anything is recorded', async () => {
    const writer = await withScopes(['messages:write']);
    const url = `${path('unread')}/messages?context=true`;
    expect((await writer.call('POST', url, { messages: [user('x')] })).status).toBe(403);
    expect((await api.call('GET', path('unread'))).status).toBe(404);
    expect((await post('unread', { messages: [user('x')] }, '?max_tokens=500')).status).toBe(422);
  });
});

test('a context waits for the compaction that is due', async () => {
  const policy = { context: { context_window: 8_000, response_reserve: 500 } };
  await put('waits', { policy });
  const turns = Array.from({ length: 12 }, (_, i) => [
    user(`${i} ${words(120)}`),
    { role: 'assistant', content: words(120) },
  ]);
  const posted = await post(
    'waits',
    { messages: [...turns.flat(), user('now')] },
    '?context=true&wait=10000',
  );
  expect(posted.body.context).toMatchObject({ degraded: false, summary: { generation: 1 } });
  expect((await api.call('GET', `${path('waits')}/context?wait=10001`)).status).toBe(422);
  expect((await api.call('GET', `${path('waits')}/context?wait=5&at=1`)).status).toBe(422);
  expect((await api.call('POST', `${path('waits')}/context`, { wait: 5, at: 1 })).status).toBe(422);
});

test(
  'a context that waits for a compaction nobody makes is served when its time is over',
  { tags: 'long' },
  async () => {
    const policy = { context: { context_window: 8_000, response_reserve: 500 } };
    const own = await startStack({ workers: 0, redis: false });
    try {
      const there = apiOf(own);
      await there.call('PUT', path('late'), { policy });
      await there.append('late', ...Array.from({ length: 12 }, (_, i) => user(`${i} ${words(250)}`)));
      expect((await there.thread('late')).compaction.state).toBe('due');
      await there.append('idle', user('hello'));
      const after = (id: string, wait: number) =>
        there.call<Schemas['Context']>('GET', `${path(id)}/context?wait=${wait}`);
      let hasLongEnded = false;
      const long = after('late', 10_000).finally(() => (hasLongEnded = true));
      // Two in turn, which take longer than the long one if each waits as long.
      for (let i = 0; i < 2; i++) {
        const answer = await after('late', 300);
        expect(answer).toMatchObject({ status: 200, body: { summary: null } });
        expect(answer.ms).toBeGreaterThanOrEqual(290);
      }
      // Nothing is due there: its context is served at once, whatever the wait.
      expect((await after('idle', 10_000)).status).toBe(200);
      expect(hasLongEnded).toBe(false);
      await there.call('DELETE', path('late'));
      expect((await long).status).toBe(404);
    } finally {
      await own.stop();
    }
  },
);

describe('If-Match', () => {
  test('lets one of several writers through; the others learn the newest seq and record nothing', async () => {
    const write = (i: number) =>
      post<Appended & { code: string }>('match', { messages: [user(`writer ${i}`)] }, '', {
        'if-match': '0',
      });
    const first = await Promise.all(Array.from({ length: 6 }, (_, i) => write(i)));
    expect(first.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = first.filter(({ status }) => status === 412);
    expect(refused).toHaveLength(5);
    for (const { body } of refused) expect(body.code).toBe('last_seq_changed');
    expect((await api.thread('match')).last_seq).toBe(1);
    expect((await post('match', { messages: [user('b')] }, '', { 'if-match': '"1"' })).status).toBe(201);
    const stale = await post<{ detail: string }>('match', { messages: [user('c')] }, '', { 'if-match': '1' });
    expect(stale.body.detail).toContain('The newest message is 2, not 1.');
  });

  test('does not refuse a retry of what was recorded, and refuses new messages beside it', async () => {
    const batch = { messages: [{ ...user('a'), id: 'a' }] };
    expect((await post('retry', batch, '', { 'if-match': '0' })).status).toBe(201);
    const again = await post('retry', batch, '', { 'if-match': '0' });
    expect(again).toMatchObject({ status: 200, body: { messages: [{ seq: 1 }] } });
    const more = { messages: [...batch.messages, user('b')] };
    expect((await post('retry', more, '', { 'if-match': '0' })).status).toBe(412);
    expect((await post('retry', more, '', { 'if-match': '1' })).status).toBe(201);
    expect((await api.thread('retry')).last_seq).toBe(2);
  });

  test.each(['x', '-1', '1.5', 'W/"1"', '99999999999'])('is refused when it is no seq: %s', async (tag) => {
    const answer = await post('never', { messages: [user('a')] }, '', { 'if-match': tag });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });

  test('of a thread that does not exist is 412, unless it names no message', async () => {
    expect((await post('nobody', { messages: [user('a')] }, '', { 'if-match': '3' })).status).toBe(412);
    expect((await api.call('GET', path('nobody'))).status).toBe(404);
  });
});

describe('Idempotency-Key', () => {
  const items = [
    { type: 'message', role: 'user', content: 'go' },
    { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'sh', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'done' },
  ];
  const key = { 'idempotency-key': 'step-1' };

  test('makes a retry a replay, also of items without an id, and leaves their own ids alone', async () => {
    await put('idem', { format: 'responses' });
    const made = await post('idem', { messages: items }, '', key);
    expect(made.body.messages.map(({ id }) => id)).toEqual(['step-1:0', 'fc_1', 'step-1:2']);
    const again = await Promise.all([1, 2, 3].map(() => post('idem', { messages: items }, '', key)));
    for (const answer of again) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      expect(answer.body.messages.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    }
    expect((await api.context('idem')).messages).toEqual(items);
  });

  test('with other content is a conflict, and nothing is recorded', async () => {
    const other = [{ type: 'message', role: 'user', content: 'stop' }];
    expect(await post('idem', { messages: other }, '', key)).toMatchObject({
      status: 409,
      body: { code: 'message_conflict' },
    });
    expect((await post('idem', { messages: other }, '', { 'idempotency-key': 'a b' })).status).toBe(422);
    expect((await api.thread('idem')).last_seq).toBe(3);
  });
});

test('a thread that outgrew its limit while summaries are off is warned about', async () => {
  const policy = { summary: { enabled: false }, context: { context_window: 6_000 } };
  await put('off', { model: 'gpt-4o', policy });
  const small = await post('off', { messages: [user('x')] });
  expect(small.body.thread.warnings).toEqual([]);
  const many = Array.from({ length: 12 }, (_, i) => user(`${i}: ${'many words '.repeat(300)}`));
  const large = await post('off', { messages: many });
  expect(large.body.thread.warnings).toMatchObject([{ code: 'summaries_off' }]);
  const { live_tokens: live, limit_tokens: limit } = await api.thread('off');
  const { detail } = large.body.thread.warnings[0]!;
  for (const tokens of [live, limit]) expect(detail).toContain(tokens.toLocaleString('en-US'));
  expect((await put('off', { policy: { ...policy, summary: { enabled: true } } })).body.warnings).toEqual([]);
});

test('a window that follows from an unknown model, or from none, is warned about', async () => {
  const warned = async (id: string, settings: object) =>
    (await put(id, settings)).body.warnings?.map(({ code }) => code);
  expect(await warned('w-known', { model: 'gpt-4o' })).toEqual([]);
  expect(await warned('w-unknown', { model: 'nobody-knows-it' })).toEqual(['unknown_model']);
  expect(await warned('w-none', {})).toEqual(['no_model']);
  const window = { policy: { context: { context_window: 50_000 } } };
  expect(await warned('w-own', { model: 'nobody-knows-it', ...window })).toEqual([]);
  const posted = await post('w-posted', { messages: [user('x')] });
  expect(posted.body.thread.warnings).toMatchObject([{ code: 'no_model' }]);
  expect(posted.body.thread.warnings[0]!.detail).toContain('8,192 tokens');
  await api.call('PUT', '/v1/models/nobody-knows-it', { context_window: 9_000 });
  const known = await until('the override is seen', async () => {
    const { warnings } = await api.thread('w-unknown');
    return warnings?.length === 0;
  });
  expect(known).toBe(true);
});

test('an agent logs once for each model that its window is a guess', async () => {
  const lines: string[] = [];
  const options = { baseUrl: stack.url, key: stack.key, log: (line: string) => lines.push(line) };
  const threads = new AgentThreads('openai', options);
  const ask = (id: string, model: string) => threads.thread(id).context({ history: [user(id)], model });
  await ask('logs-known', 'gpt-4o');
  expect(lines).toEqual([]);
  for (const id of ['logs-one', 'logs-two']) await ask(id, 'acme-chat-7');
  expect(lines).toEqual([
    expect.stringMatching(
      /^Spillway warns of the thread logs-one: The model "acme-chat-7" is not known, so its context window is 8,192 tokens\. Add it with PUT/,
    ),
  ]);
  await ask('logs-three', 'acme-chat-8');
  expect(lines).toHaveLength(2);
});

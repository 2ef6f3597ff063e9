import {
  AccessError,
  BudgetTooSmallError,
  ConnectionError,
  InvalidRequestError,
  LastSeqChangedError,
  MessageConflictError,
  NotFoundError,
  Spillway,
  UnavailableError,
  type Message,
  type Schemas,
  type SpillwayEvent,
} from '@spillway/client';
import { AgentThreads } from '@spillway/client/agent';
import { apiOf, startProxy, until } from '@spillway/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { toolResult, toolRun } from '../tool-calls.js';

let stack: BorrowedStack;
let spillway: Spillway;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  spillway = clientWith();
});

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
const clientWith = (fetch?: Fetch, more: object = {}) =>
  new Spillway({ baseUrl: stack.url, key: stack.key, ...(fetch ? { fetch } : {}), ...more });

const user = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
const refusal = (status: number, headers: Record<string, string> = {}) =>
  new Response('from a proxy', { status, headers });
const resultOf = (content: string, id = 'c') => [...toolRun(id, content)];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('a thread', () => {
  test('is put, appended to and read in five lines', async () => {
    const thread = spillway.thread('five', { format: 'anthropic' });
    await thread.put({ model: 'gpt-4o', system: 'Be brief.' });
    const { context } = await thread.append(user('hello'), { context: { tools: true } });
    expect(context).toMatchObject({ format: 'anthropic', system: 'Be brief.', messages: [user('hello')] });
    expect(context!.tools![0]).toHaveProperty('input_schema');
    const usage = { input_tokens: context!.tokens.total };
    const { fingerprint } = context!;
    const appended = await thread.append({ role: 'assistant', content: 'Hi.' }, { usage, fingerprint });
    expect(appended.thread.last_seq).toBe(2);
    expect(appended).not.toHaveProperty('context');
    expect((await thread.context()).messages).toHaveLength(2);
    expect((await thread.context({ format: 'openai' })).format).toBe('openai');
  });

  test('of any id is reached: ids are escaped in paths', async () => {
    const thread = spillway.thread('user@example.org:1');
    await thread.append(user('hello'));
    expect((await thread.get()).id).toBe('user@example.org:1');
    await thread.erase();
    await expect(thread.get()).rejects.toBeInstanceOf(NotFoundError);
  });

  test('lists every page of messages, outputs, hits and threads', async () => {
    const thread = spillway.thread('pages');
    const marks = Array.from({ length: 25 }, (_, i) => user(`mark ${i}`));
    await thread.append(marks);
    const seqs = (await all(thread.messages({ limit: 7 }))).map(({ seq }) => seq);
    expect(seqs).toEqual(marks.map((_, i) => i + 1));
    const hits = await all(thread.search('mark', { limit: 10 }));
    expect(new Set(hits.map(({ seq }) => seq)).size).toBe(25);
    for (let i = 0; i < 3; i++) await thread.append(resultOf('line of text\n'.repeat(4_000), `c${i}`));
    expect(await all(thread.outputs({ limit: 2 }))).toHaveLength(3);
    expect((await all(spillway.threads({ limit: 1 }))).map(({ id }) => id)).toContain('pages');
    await thread.pin(3);
    expect((await thread.message(3, { around: 1 })).data.map(({ pinned }) => pinned)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('has its outputs read, searched and uploaded', async () => {
    const thread = spillway.thread('outputs');
    await thread.put({ model: 'gpt-4o' });
    const text = Array.from({ length: 5_000 }, (_, i) => `line ${i + 1}`).join('\n');
    const { messages } = await thread.append(resultOf(text));
    const { id } = messages[1]!.output!;
    expect(await spillway.outputs.read(id, { lines: '7-8' })).toMatchObject({ first_line: 7, last_line: 8 });
    expect((await spillway.outputs.grep(id, '^line 4999$')).matches).toMatchObject([{ line: 4_999 }]);
    expect((await spillway.outputs.get(id)).lines).toBe(5_000);
    expect((await spillway.outputs.outline(id)).kind).toBe('text');
    expect(await new Response(await spillway.outputs.content(id)).text()).toBe(text);
    const { name } = await thread.runTool('grep_output', JSON.stringify({ id, pattern: 'x' }));
    expect(name).toBe('grep_output');
    await thread.append(resultOf('x', 'up')[0]!);
    const { stub, output } = await thread.upload(new Blob([text]).stream(), { toolCallId: 'up' });
    await thread.append(toolResult('up', stub));
    expect((await spillway.outputs.get(output.id)).state).toBe('ready');
  });

  test('is compacted, and its summaries are listed', async () => {
    const thread = spillway.thread('folds');
    await thread.put({ policy: { context: { context_window: 8_000, response_reserve: 500 } } });
    const turn = (i: number) => [
      user(`${i} ${'lorem ipsum '.repeat(400)}`),
      { role: 'assistant', content: 'ok' },
    ];
    await thread.append(Array.from({ length: 14 }, (_, i) => turn(i)).flat());
    await thread.context({ wait: 10_000 });
    expect(await all(thread.summaries())).toHaveLength(1);
    expect((await thread.compact()).result).toBe('below_trigger');
    expect((await thread.change({ metadata: { a: 'b' } })).metadata).toEqual({ a: 'b' });
  });
});

describe('errors are classes', () => {
  test('by the code of the problem', async () => {
    const thread = spillway.thread('errors');
    await thread.append(user('a', { id: 'one' }));
    await expect(thread.append(user('b', { id: 'one' }))).rejects.toBeInstanceOf(MessageConflictError);
    await expect(thread.append(user('b'), { ifLastSeq: 7 })).rejects.toBeInstanceOf(LastSeqChangedError);
    await expect(thread.context({ max_tokens: 1 })).rejects.toBeInstanceOf(BudgetTooSmallError);
    await expect(thread.append([])).rejects.toMatchObject({ code: 'invalid_request', status: 422 });
    await expect(thread.append([])).rejects.toBeInstanceOf(InvalidRequestError);
    const stranger = clientWith(undefined, { key: 'wrong' }).thread('errors');
    const refused = await stranger.get().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AccessError);
    expect((refused as AccessError).requestId).toMatch(/./);
    expect(await thread.append(user('c'), { ifLastSeq: 1 })).toMatchObject({ thread: { last_seq: 2 } });
  });

  test('when nobody answers, and the cause is kept', async () => {
    const unreached = clientWith(() => Promise.reject(new TypeError('refused')), { maxRetries: 0 });
    await expect(unreached.thread('x').get()).rejects.toMatchObject({ code: 'unreachable', status: 0 });
    const mute = clientWith(
      (_url, { signal }) =>
        new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error))),
      { maxRetries: 0, timeoutMs: 20 },
    );
    const late = await mute
      .thread('x')
      .get()
      .catch((error: unknown) => error);
    expect(late).toBeInstanceOf(ConnectionError);
    expect(late).toMatchObject({ code: 'timeout' });
  });

  test('by the status of the answer, where a proxy writes a code of its own', async () => {
    const body = { code: '303001', message: 'Send timeout' };
    const client = clientWith(() => Promise.resolve(Response.json(body, { status: 503 })), { maxRetries: 0 });
    const error = await client
      .thread('x')
      .get()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnavailableError);
  });

  test('when a proxy answers with something else', async () => {
    const client = clientWith(() => Promise.resolve(refusal(500)), { maxRetries: 2 });
    const error = await client
      .thread('x')
      .get()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({
      code: 'http_500',
      message: expect.stringContaining('from a proxy') as string,
    });
  });
});

describe('retries', () => {
  /** Loses the first answers: the service did its work, and the client does not know. */
  const losing = (n: number, sent: RequestInit[]): Fetch => {
    let lost = 0;
    return async (url, init) => {
      sent.push(init);
      const response = await fetch(url, init);
      if (lost++ < n) throw new TypeError('connection lost');
      return response;
    };
  };

  test('send the same bytes under the same key, and record once', async () => {
    const sent: RequestInit[] = [];
    const thread = clientWith(losing(2, sent)).thread('lost-answers');
    const { messages, thread: after } = await thread.append([user('one'), user('two')], { ifLastSeq: 0 });
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(after.last_seq).toBe(2);
    expect(sent).toHaveLength(3);
    const keyOf = ({ headers }: RequestInit) => new Headers(headers).get('idempotency-key');
    expect(new Set(sent.map(keyOf)).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    // Another append of the same text is another message.
    expect((await thread.append(user('one'))).thread.last_seq).toBe(3);
  });

  test('ask again for an answer that breaks off', async () => {
    let asked = 0;
    const breaking = clientWith(async (url, init) => {
      const response = await fetch(url, init);
      return asked++ > 0 ? response : new Response((await response.text()).slice(0, 20), response);
    });
    const { messages } = await breaking.thread('broken').append(user('once'));
    expect({ asked, seqs: messages.map(({ seq }) => seq) }).toEqual({ asked: 2, seqs: [1] });
  });

  test('are none for what must not be done twice, where a proxy answers for the service', async () => {
    let asked = 0;
    const made = { method: 'POST', path: '/v1/keys', isRepeatable: false } as const;
    const late = clientWith(async (url, init) => {
      await fetch(url, init);
      return asked++ === 0 ? refusal(504) : fetch(url, init);
    });
    const body = { name: 'made once', scopes: ['context:read'] };
    await expect(late.call({ ...made, body })).rejects.toBeInstanceOf(UnavailableError);
    expect(asked).toBe(1);
    const { data } = await spillway.call<Schemas['KeyList']>({ method: 'GET', path: '/v1/keys' });
    expect(data.filter(({ name }) => name === body.name)).toHaveLength(1);
    // The service itself says that it did nothing.
    const problem = {
      type: 'about:blank',
      code: 'overloaded',
      status: 503,
      detail: 'Later.',
      request_id: 'r1',
    };
    const refusing = clientWith((url, init) =>
      asked++ === 1
        ? Promise.resolve(Response.json(problem, { status: 503, headers: { 'retry-after': '0' } }))
        : fetch(url, init),
    );
    expect(await refusing.call({ ...made, body: { ...body, name: 'made at last' } })).toHaveProperty('id');
  });

  test('wait as long as the service says, and end when the caller does', async () => {
    let asked = 0;
    const busy = clientWith((url, init) =>
      asked++ < 2 ? Promise.resolve(refusal(429, { 'retry-after': '0' })) : fetch(url, init),
    );
    await busy.thread('busy').append(user('x'));
    expect(asked).toBe(3);
    const stop = new AbortController();
    const never = clientWith(() => Promise.resolve(refusal(503, { 'retry-after': '60' })));
    const waiting = never.thread('x').append(user('x'), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test('are none for what is wrong', async () => {
    let asked = 0;
    const counted = clientWith((url, init) => (asked++, fetch(url, init)));
    await expect(counted.thread('nobody').get()).rejects.toBeInstanceOf(NotFoundError);
    expect(asked).toBe(1);
  });
});

test('events arrive once each, over connections that are lost', async () => {
  const thread = spillway.thread('events');
  await thread.append(user('before'));
  const stop = new AbortController();
  const seen: SpillwayEvent[] = [];
  let opened = 0;
  const cutting = clientWith(async (url, init) => {
    const response = await fetch(url, init);
    // Events are those from now on: the stream is open once it has answered.
    opened++;
    if (opened > 1) return response;
    // The first connection ends with its first event.
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, out) => {
        out.enqueue(chunk);
        if (new TextDecoder().decode(chunk).includes('data:')) out.terminate();
      },
    });
    return new Response(response.body!.pipeThrough(cut), response);
  });
  const reading = (async () => {
    for await (const event of cutting.thread('events').events({ signal: stop.signal })) seen.push(event);
  })();
  await until('the stream is open', () => Promise.resolve(opened > 0));
  await thread.append(user('after 0'));
  await until('an event is seen', () => Promise.resolve(seen.length > 0));
  for (let i = 1; i < 6; i++) await thread.append(user(`after ${i}`));
  await until('the last is seen', () => Promise.resolve(seen.at(-1)?.data.to_seq === 7));
  stop.abort();
  await reading;
  expect(opened).toBeGreaterThan(1);
  expect(seen.map(({ data }) => data.to_seq)).toEqual([2, 3, 4, 5, 6, 7]);
  const refused = clientWith(undefined, { key: 'wrong' }).events();
  await expect(refused.next()).rejects.toBeInstanceOf(AccessError);
});

test('a stream of events over a connection that went silent is opened again, and misses none', async () => {
  const { hostname: host, port } = new URL(stack.url);
  const network = await startProxy({ host, port: Number(port) });
  const stop = new AbortController();
  try {
    const { key } = stack;
    const far = new Spillway({ baseUrl: network.through(stack.url), key }).thread('silent');
    const near = spillway.thread('silent');
    await near.append(user('before'));
    const seen: SpillwayEvent[] = [];
    const reading = (async () => {
      for await (const event of far.events({ signal: stop.signal, silentMs: 1_000 })) seen.push(event);
    })();
    const appended: number[] = [];
    const append = async (content: string) =>
      appended.push((await near.append(user(content))).messages[0]!.seq);
    await until('the stream is open', () => Promise.resolve(network.connections() > 0));
    await until('an event is seen', async () => {
      await append('more');
      return seen.length > 0;
    });
    await network.set('lost-replies');
    await append('while nothing arrives');
    await sleep(500);
    await network.set('pass');
    await append('after it');
    await until(
      'the last is seen',
      () => Promise.resolve(seen.at(-1)?.data.to_seq === appended.at(-1)),
      10_000,
    );
    stop.abort();
    await reading;
    // Those before the stream was open are none of its events.
    const first = appended.indexOf(seen[0]!.data.to_seq as number);
    expect(seen.map(({ data }) => data.to_seq)).toEqual(appended.slice(first));
  } finally {
    stop.abort();
    await network.stop();
  }
});

test('a thread whose first model call went without Spillway gets its settings with the answer', async () => {
  const { hostname: host, port } = new URL(stack.url);
  const network = await startProxy({ host, port: Number(port) });
  const options = { baseUrl: network.through(stack.url), key: stack.key, maxRetries: 0, pauseMs: 0 };
  const agent = new AgentThreads('openai', { ...options, log: () => undefined }).thread('late-settings');
  const history: Message[] = [{ role: 'user', content: 'Hello' }];
  const settings = { model: 'gpt-4o-mini', system: 'You are brief.' };
  try {
    await network.set('reset');
    expect(await agent.context({ history, ...settings })).toBeNull();
    await network.set('pass');
    await agent.record({ history: [...history, { role: 'assistant', content: 'Hi.' }] });
  } finally {
    await network.stop();
  }
  expect(await apiOf(stack).thread('late-settings')).toMatchObject({ ...settings, last_seq: 2 });
});

test('an agent that starts anew and goes far back rewinds what came after', async () => {
  const recorded = Array.from({ length: 1_200 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `${i}`,
  }));
  await spillway.thread('far-back').append(recorded.slice(0, 600));
  await spillway.thread('far-back').append(recorded.slice(600));
  const agent = new AgentThreads('openai', { baseUrl: stack.url, key: stack.key }).thread('far-back');
  const history = [...recorded.slice(0, 12), user('another way')];
  const context = await agent.context({ history });
  expect(context!.messages).toEqual(history);
});

test('an agent that asks again with another image sends that one, and an old image that it left out stays', async () => {
  const agent = new AgentThreads('ai-sdk', { baseUrl: stack.url, key: stack.key }).thread('other-image');
  const ask = (bytes: string, more: object = {}) => ({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: Buffer.from(bytes), ...more },
    ],
  });
  const posted = (bytes: string) => ({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: btoa(bytes) },
    ],
  });
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'A dog.' }] };
  await agent.context({ history: [ask('first')] });
  await agent.record({ history: [ask('first'), answer] });
  const again = await agent.context({ history: [ask('second')] });
  expect(again!.messages).toEqual([posted('second')]);
  await agent.record({ history: [ask('second'), answer] });
  // Marks for the provider are no other image.
  const marked = await agent.context({ history: [ask('second', { providerOptions: { cache: 1 } })] });
  expect(marked!.messages).toEqual([posted('second')]);
  await agent.record({ history: [ask('second'), answer] });
  const next = { role: 'user', content: [{ type: 'text', text: 'Sure?' }] };
  const { messages } = (await agent.context({ history: [ask('left out'), answer, next] }))!;
  expect(messages).toEqual([posted('second'), answer, next]);
});

test("bytes of the AI SDK's images and files are posted as base64", async () => {
  const bytes = Buffer.from([137, 80, 78, 71, 0, 255, ...Array.from({ length: 20_000 }, (_, i) => i % 256)]);
  const base64 = bytes.toString('base64');
  const file = (data: unknown) => ({ type: 'file', mediaType: 'image/png', data });
  const message = (...content: object[]) => ({ role: 'user', content });
  const thread = spillway.thread('bytes', { format: 'ai-sdk' });
  await thread.put({ model: 'gpt-4o' });
  const { context } = await thread.append(
    [
      message({ type: 'image', image: bytes }, { type: 'image', image: new Uint8Array(bytes) }),
      message(file(new Uint8Array(bytes).buffer), file({ type: 'data', data: bytes })),
    ],
    { context: true },
  );
  const expected = [
    message({ type: 'image', image: base64 }, { type: 'image', image: base64 }),
    message(file(base64), file({ type: 'data', data: base64 })),
  ];
  expect(context?.messages).toEqual(expected);
});

test.each([
  ['a Buffer', Buffer.from('abc').toJSON()],
  ['a Uint8Array', { 0: 97, 1: 98 }],
  ['an ArrayBuffer', {}],
])('%s that JSON.stringify wrote is refused, with what to send instead', async (_, image) => {
  const thread = spillway.thread('bytes-as-json', { format: 'ai-sdk' });
  const refused = async (part: object, path: string) =>
    expect(thread.append({ role: 'user', content: [part] })).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${path}: has bytes, which JSON cannot hold: send them as base64`,
    });
  await refused({ type: 'image', image }, '/messages/0/content/0/image');
  const data = { type: 'data', data: image };
  await refused({ type: 'file', mediaType: 'image/png', data }, '/messages/0/content/0/data');
});

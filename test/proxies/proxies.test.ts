import { apiOf, rowsOf, until } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assistant, model, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

const mebibyte = 1024 * 1024;

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
});

test('what the provider sends is what the caller gets: status, headers and every byte, however it is cut', async () => {
  const stream = [
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
    ': a comment between events\n\n',
    'data: {"choices":[{"index":0,"delta":{"content":"Grüße, 世界 🌊"}}]}\r\n\r\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_unknown":1}\n\n',
    'data: [DONE]\n\n',
  ].join('');
  const bytes = Buffer.from(stream);
  rig.answer = async (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': 'req_of_the_provider',
      'x-ratelimit-remaining-tokens': '149984',
      'set-cookie': '__cf_bm=secret',
      'content-security-policy': 'default-src *',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'sniff',
    });
    // Cuts go through characters and between the lines of an event.
    for (let i = 0; i < bytes.length; i += 7) {
      response.write(bytes.subarray(i, i + 7));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
  const got = await rig.post('bytes', [user('hello')], { stream: true });
  expect(got.status).toBe(200);
  expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-request-id': 'req_of_the_provider',
    'x-ratelimit-remaining-tokens': '149984',
    'spillway-thread': 'bytes',
    'spillway-context-tokens': expect.stringMatching(/^\d+$/) as string,
  });
  expect(got.headers.get('set-cookie')).toBeNull();
  // How a browser treats an answer of the API is not for an upstream to say.
  expect(got.headers.get('access-control-allow-origin')).toBeNull();
  expect(got.headers.get('x-content-type-options')).toBe('nosniff');
  expect(got.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await rig.shown('bytes')).toEqual(['user: hello', 'assistant: Grüße, 世界 🌊']);
});

test('a window that nobody chose is named in a header of the answer', async () => {
  rig.answer = replies('ok');
  const warning = async (id: string, options = {}) =>
    (await rig.post(id, [user('hello')], options)).headers.get('spillway-warning');
  expect(await warning('of-a-known-model')).toBeNull();
  // Any model may be called with a key of the caller's own.
  const own = { key: 'sk-of-the-caller', headers: { 'spillway-key': rig.stack.key }, model: 'acme-chat-7' };
  expect(await warning('of-an-unknown-model', own)).toBe('unknown_model;window=8192');
  // The thread keeps the window of its own model.
  expect(await warning('of-a-known-model', own)).toBe('unknown_model;window=128000');
  await rig.api.createThread({ id: 'with-a-window', policy: { context: { context_window: 32_000 } } });
  expect(await warning('with-a-window', own)).toBeNull();
  await rig.api.call('PUT', '/v1/models/acme-chat-7', { context_window: 64_000 });
  await until('its window is known', async () => (await warning('of-an-unknown-model', own)) === null);
});

test('a stream arrives as it is made, not when it ends', async () => {
  const ended = Promise.withResolvers<void>();
  rig.answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n');
    await ended.promise;
    response.end('data: [DONE]\n\n');
  };
  const got = await rig.post('live', [user('hello')], { stream: true });
  const reader = got.body!.getReader();
  const next = async () => ((await reader.read()) as { value?: Uint8Array }).value;
  expect(new TextDecoder().decode(await next())).toContain('first');
  ended.resolve();
  expect(new TextDecoder().decode(await next())).toBe('data: [DONE]\n\n');
  // Recorded before the caller saw the end.
  expect(await rig.shown('live')).toEqual(['user: hello', 'assistant: first']);
  expect(await next()).toBeUndefined();
});

test('everything but the conversation goes to the provider as it came, with the key of the server', async () => {
  rig.answer = replies('yes');
  const asked = {
    temperature: 0.2,
    logit_bias: { 50256: -100 },
    response_format: { type: 'json_object' },
    metadata: { spillway_thread: 'as-it-came', run: '7' },
    tools: [{ type: 'function', function: { name: 'look', parameters: {} } }],
  };
  await rig.post(
    '',
    [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, user('ready?')],
    asked,
  );
  const [{ url, headers, body } = rig.received[0]!] = rig.received;
  expect(url).toBe('/v1/chat/completions');
  expect(headers.authorization).toBe('Bearer sk-of-the-server');
  expect(headers['spillway-thread']).toBeUndefined();
  expect(body).toEqual({
    model,
    ...asked,
    metadata: { run: '7' },
    messages: [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, user('ready?')],
  });
  // The prompt is the call's, not a message of the thread.
  expect(await rig.shown('as-it-came')).toEqual(['user: ready?', 'assistant: yes']);
});

test('a conversation is recorded once, whether the caller sends all of it, its end, or only what is new', async () => {
  rig.answer = replies('one');
  await rig.post('once', [user('a')]);
  rig.answer = replies('two');
  await rig.post('once', [user('a'), assistant('one'), user('b')]);
  rig.answer = replies('three');
  await rig.post('once', [user('b'), assistant('two'), user('c')]);
  rig.answer = replies('four');
  await rig.post('once', [user('d')]);
  const whole = ['a', 'one', 'b', 'two', 'c', 'three', 'd', 'four'];
  expect((await rig.shown('once')).map((line) => line.split(': ')[1])).toEqual(whole);
  expect(rig.received.at(-1)!.body.messages.map(({ content }) => content)).toEqual(whole.slice(0, -1));
});

test('a request again, after its answer was lost or because another one is wanted, replaces the answer', async () => {
  rig.answer = replies('lost');
  await rig.post('again', [user('a')]);
  rig.answer = replies('got');
  await rig.post('again', [user('a')]);
  expect(await rig.shown('again')).toEqual(['user: a', 'assistant: got']);
  rig.answer = replies('to the edited question');
  await rig.post('again', [user('edited'), assistant('got'), user('next')]);
  // An edited beginning is a message on its way: what follows it is the same.
  expect(await rig.shown('again')).toEqual([
    'user: a',
    'assistant: got',
    'user: next',
    'assistant: to the edited question',
  ]);
  const { data } = (
    await rig.api.call<{ data: { message: { content: string }; rewound_before?: number }[] }>(
      'GET',
      '/v1/threads/again/messages',
    )
  ).body;
  expect(data.map(({ message }) => message.content)).toContain('lost');
});

test('a history that ends far behind the newest message takes back all that came after it', async () => {
  const recorded = Array.from({ length: 400 }, (_, i) => (i % 2 ? assistant : user)(`${i}`));
  await rig.api.createThread({ id: 'far' });
  await rig.api.append('far', ...recorded);
  rig.answer = replies('another way');
  await rig.post('far', [...recorded.slice(0, 10), user('from here')]);
  expect(await rig.shown('far')).toEqual([
    ...recorded.slice(0, 10).map(({ role, content }) => `${role}: ${content}`),
    'user: from here',
    'assistant: another way',
  ]);
  // What is new as a whole takes nothing back.
  await rig.post('far', [user('new'), assistant('too'), user('more')]);
  expect(await rig.shown('far')).toHaveLength(12 + 4);
});

test('a caller that dropped its oldest messages goes back without recording the others twice', async () => {
  const recorded = ['a', 'one', 'b', 'two', 'c', 'three', 'd', 'four'].map((word, i) =>
    (i % 2 ? assistant : user)(word),
  );
  await rig.api.createThread({ id: 'short' });
  await rig.api.append('short', ...recorded);
  rig.answer = replies('another way');
  await rig.post('short', [...recorded.slice(2, 6), user('from here')]);
  expect(await rig.shown('short')).toEqual([
    ...recorded.slice(0, 6).map(({ role, content }) => `${role}: ${content}`),
    'user: from here',
    'assistant: another way',
  ]);
});

test('an error of the provider is passed on as it is, and the question stays recorded for the next try', async () => {
  const refusal = '{"error":{"message":"Rate limit reached","type":"tokens","code":"rate_limit_exceeded"}}';
  rig.answer = (response) => {
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '3', 'x-should-retry': 'false' })
      .end(refusal);
  };
  const got = await rig.post('limited', [user('a')]);
  expect([got.status, got.headers.get('retry-after'), await got.text()]).toEqual([429, '3', refusal]);
  expect(await rig.shown('limited')).toEqual(['user: a']);
  rig.answer = replies('now');
  await rig.post('limited', [user('a')]);
  expect(await rig.shown('limited')).toEqual(['user: a', 'assistant: now']);
});

test('a caller that leaves ends the call, and a cut answer is not recorded', async () => {
  const left = Promise.withResolvers<void>();
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half of it"}}]}\n\n');
    response.once('close', () => left.resolve());
  };
  const abort = new AbortController();
  const got = await rig.post('left', [user('a')], { stream: true, signal: abort.signal });
  await got.body!.getReader().read();
  abort.abort();
  await left.promise;
  expect(await rig.shown('left')).toEqual(['user: a']);
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n', () =>
      response.destroy(),
    );
  };
  await expect(rig.post('left', [user('a')], { stream: true }).then((cut) => cut.text())).rejects.toThrow();
  expect(await rig.shown('left')).toEqual(['user: a']);
});

test('an answer in one piece that breaks off is a failure of the provider, and records nothing', async () => {
  rig.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4000' });
    response.write('{"choices":[', () => response.destroy());
  };
  const cut = await rig.post('cut', [user('a')]);
  expect(cut.status).toBe(502);
  expect(await cut.json()).toMatchObject({ error: { code: 'upstream_failed' } });
  expect(await rig.shown('cut')).toEqual(['user: a']);
});

test('a history of more text than is read at once is continued', async () => {
  const recorded = Array.from({ length: 12 }, (_, i) => (i % 2 ? assistant : user)(`message ${i}`));
  await rig.api.createThread({ id: 'large' });
  await rig.api.append('large', ...recorded);
  // As if each message had 400,000 tokens: so many would take minutes to count.
  const { databaseUrl } = rig.stack;
  await rowsOf(
    databaseUrl,
    `UPDATE messages m SET tokens = 400000 FROM threads t WHERE t.uid = m.thread_uid AND t.id = 'large'`,
  );
  await rowsOf(databaseUrl, `UPDATE threads SET total_tokens = 4800000 WHERE id = 'large'`);
  rig.answer = replies('read');
  await rig.post('large', [...recorded.slice(-4), user('next')]);
  const { data } = (
    await rig.api.call<{ data: { message: { content: string } }[] }>('GET', '/v1/threads/large/messages')
  ).body;
  expect(data.map(({ message }) => message.content)).toEqual([
    ...recorded.map(({ content }) => content),
    'next',
    'read',
  ]);
});

test('two callers on one thread both get their answers, and nothing is recorded twice', async () => {
  // Each turn has an answer of its own, so that one recorded twice shows.
  let turns = 0;
  rig.answer = (response) => replies(`answer ${++turns}`)(response);
  const both = await Promise.all([
    rig.post('both', [user('from one')]),
    rig.post('both', [user('from two')]),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const lines = await rig.shown('both');
  const answers = lines.filter((line) => /^assistant: answer [12]$/.test(line));
  // An answer that the other turn overtook is recorded with its caller's next request.
  expect(answers.length).toBeGreaterThanOrEqual(1);
  expect(new Set(answers).size).toBe(answers.length);
  expect(lines.filter((line) => !answers.includes(line)).sort()).toEqual([
    'user: from one',
    'user: from two',
  ]);
});

test('what a turn took is counted for the project', async () => {
  const key = await rig.stack.addProject('counted');
  const counted = apiOf({ url: rig.stack.url, key });
  const chat = async () =>
    (await counted.call<{ totals: { chat: { turns: number } } }>('GET', '/v1/usage')).body.totals.chat;
  rig.answer = replies('counted');
  await rig.post('usage', [user('what did it take?')], { key });
  await until('the turn is counted', async () => (await chat()).turns > 0);
  expect(await chat()).toMatchObject({ turns: 1, input_tokens: 40, output_tokens: 5 });
});

test('a history of screenshots may be as large as the providers take it, and is recorded once', async () => {
  rig.answer = replies('seen');
  // As bytes that differ: each is an image of its own, of half a megabyte.
  const shot = (n: number) => Buffer.alloc(384 * 1024, `screenshot ${n} `).toString('base64');
  const history = Array.from({ length: 20 }, (_, n) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `step ${n}` },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${shot(n)}` } },
      ],
    },
    assistant(`did ${n}`),
  ]).flat();
  expect(JSON.stringify(history).length).toBeGreaterThan(10 * mebibyte);
  const next = user('and now?');
  expect((await rig.post('shots', [...history, next])).status).toBe(200);
  expect((await rig.post('shots', [...history, next, assistant('seen'), user('more')])).status).toBe(200);
  expect((await rig.api.thread('shots')).last_seq).toBe(44);
  // What is older than the newest images is not sent again and again.
  expect(JSON.stringify(rig.received[1]!.body).length).toBeLessThan(5 * mebibyte);
  const tooLarge = await rig.post('too-large', [user('x'.repeat(33 * mebibyte))]);
  expect(tooLarge.status).toBe(413);
  expect(await tooLarge.json()).toMatchObject({ code: 'body_too_large', error: { code: 'body_too_large' } });
});

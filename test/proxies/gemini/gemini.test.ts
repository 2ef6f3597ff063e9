import type { Schemas } from '@spillway/client';
import { apiOf, until } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  answerOf,
  gemini,
  model,
  says,
  sends,
  startGeminiRig,
  usage,
  user,
  type GeminiRig,
} from './gemini-rig.js';

let rig: GeminiRig;
beforeAll(async () => {
  rig = await startGeminiRig();
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
  rig.answer = says('ok');
});

const stream = { method: `${gemini}:streamGenerateContent?alt=sse` };
const event = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;
/** What the thread shows, as roles and texts. */
const shown = async (id: string) =>
  (await rig.api.context(id)).messages.map((message) => {
    const { role, content } = message as {
      role: string;
      content: string | { type: string; text?: string }[];
    };
    const texts =
      typeof content === 'string' ? content : content.map((part) => part.text ?? part.type).join(' ');
    return `${role}: ${texts}`;
  });

test('what Google sends is what the caller gets, byte for byte, and what it said is recorded', async () => {
  const answer = [
    event(answerOf([{ text: 'I think', thought: true }], null)),
    event(answerOf([{ text: 'Grüße, ' }], null)),
    event(answerOf([{ text: '世界 🌊' }], null)),
    event(answerOf([{ text: '', thoughtSignature: 'c2ln' }])),
  ].join('');
  const bytes = Buffer.from(answer);
  rig.answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-gemini-service-tier': 'standard' });
    for (let i = 0; i < bytes.length; i += 7) {
      response.write(bytes.subarray(i, i + 7));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
  const got = await rig.ask('bytes', { contents: [user('hello')] }, stream);
  expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'x-gemini-service-tier': 'standard',
    'spillway-thread': 'bytes',
    'spillway-context-tokens': expect.stringMatching(/^\d+$/) as string,
  });
  expect(rig.received[0]!.url).toBe(`/v1/models/${gemini}:streamGenerateContent?alt=sse`);
  // Only what is new: the answer comes from the thread, with its thoughts and its signature.
  rig.answer = says('ok');
  await rig.ask('bytes', { contents: [user('and?')] });
  expect(rig.sent().contents).toEqual([
    user('hello'),
    model({ text: 'I think', thought: true }, 'Grüße, 世界 🌊', { text: '', thoughtSignature: 'c2ln' }),
    user('and?'),
  ]);
});

test('everything but the contents goes to Google as it came, with the key of the server', async () => {
  const asked = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    tools: [{ functionDeclarations: [{ name: 'look' }] }, { googleSearch: {} }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: { temperature: 0.2, thinkingConfig: { includeThoughts: true } },
    safetySettings: [],
  };
  const contents = [user('ready?', { fileData: { fileUri: 'https://youtu.be/a' } } as object)];
  const headers = { 'x-goog-api-client': 'google-genai-sdk/3', 'x-goog-user-project': 'theirs' };
  expect(
    (await rig.ask('', { ...asked, contents, metadata: { spillway_thread: 'as-it-came' } }, { headers }))
      .status,
  ).toBe(200);
  const [{ headers: got, url } = rig.received[0]!] = rig.received;
  expect(url).toBe(`/v1/models/${gemini}:generateContent`);
  expect(got).toMatchObject({ ...headers, 'x-goog-api-key': 'key-of-the-server' });
  expect(JSON.stringify(got)).not.toContain(rig.stack.key);
  expect(rig.sent()).toEqual({ ...asked, contents });
  // The prompt is the call's, and no message of the thread; it is counted with the functions.
  expect(await shown('as-it-came')).toEqual(['user: ready? file', 'assistant: ok']);
});

test('a request with the names that Google takes as well is read like the others', async () => {
  await rig.ask('names', {
    system_instruction: { parts: { text: 'Be brief.' } },
    contents: { parts: [{ text: 'Look.' }, { inline_data: { mime_type: 'image/png', data: 'QUJD' } }] },
    tools: {
      function_declarations: [
        { name: 'look', parameters: { properties: { mime_type: { type: 'STRING' } } } },
      ],
    },
  });
  expect(rig.sent()).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [user('Look.', { inlineData: { mimeType: 'image/png', data: 'QUJD' } } as object)],
    tools: [
      {
        functionDeclarations: [
          { name: 'look', parameters: { properties: { mime_type: { type: 'STRING' } } } },
        ],
      },
    ],
  });
  expect(await shown('names')).toEqual(['user: Look. file', 'assistant: ok']);
});

test('a conversation is recorded once, whether the caller sends all of it, its end, or only what is new', async () => {
  const say = async (words: string, ...contents: object[]) => {
    rig.answer = says(words);
    await rig.ask('once', { contents });
  };
  await say('one', user('a'));
  await say('two', user('a'), model('one'), user('b'));
  // As the SDK keeps a streamed answer: in pieces.
  await say('three', user('b'), model('t'), model('wo'), user('c'));
  await say('four', user('d'));
  const whole = ['a', 'one', 'b', 'two', 'c', 'three', 'd'];
  expect(rig.sent().contents.map(({ parts }) => parts![0]!.text)).toEqual(whole);
  const history = whole.map((words, i) => (i % 2 === 0 ? user : model)(words));
  await say('again', ...history);
  expect((await shown('once')).at(-1)).toBe('assistant: again');
  expect(await shown('once')).toHaveLength(8);
});

const call = (name: string, more: object = {}, id?: string) => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args: { n: 1 } },
  ...more,
});
const result = (name: string, output: string, id?: string) => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } },
});

describe.each([
  ['with ids', 'c'],
  ['without ids', undefined],
])('calls of functions %s', (name, prefix) => {
  const id = name.replace(' ', '-');
  const idOf = (n: number) => (prefix === undefined ? undefined : `${prefix}${n}`);
  const signed = { thoughtSignature: 'c2ln' };
  const calls = (n: number) => model(call('list', signed, idOf(n)), call('list', {}, idOf(n + 1)));
  const results = (n: number, words: string) =>
    user(result('list', `${words} 1`, idOf(n)), result('list', `${words} 2`, idOf(n + 1)));
  const callsOf = (n: number) => sends(200, answerOf(calls(n).parts!));

  test('are paired with their results, and sent with their signatures as they came', async () => {
    rig.answer = callsOf(1);
    await rig.ask(id, { contents: [user('go')] });
    rig.answer = callsOf(3);
    // The same functions with the same arguments again, as in a loop that polls.
    await rig.ask(id, { contents: [user('go'), calls(1), results(1, 'first')] });
    rig.answer = says('done');
    const whole = [user('go'), calls(1), results(1, 'first'), calls(3), results(3, 'second')];
    await rig.ask(id, { contents: whole });
    expect(rig.sent().contents).toEqual(whole);
    expect((await rig.api.thread(id)).last_seq).toBe(6);
    // A caller that dropped its oldest contents.
    await rig.ask(id, { contents: [calls(3), results(3, 'second'), model('done'), user('next')] });
    expect(rig.sent().contents).toEqual([...whole, model('done'), user('next')]);
    expect((await rig.api.thread(id)).last_seq).toBe(8);
    const { pending_calls: pending } = await rig.api.context(id);
    expect(pending).toEqual([]);
  });

  test('are answered anew where a tool ran again', async () => {
    const again = `${id}-again`;
    await rig.ask(again, { contents: [user('go'), calls(1), results(1, 'broken')] });
    await rig.ask(again, { contents: [user('go'), calls(1), results(1, 'mended')] });
    expect(rig.sent().contents).toEqual([user('go'), calls(1), results(1, 'mended')]);
    expect(await shown(again)).toHaveLength(4);
  });
});

test('a result alone is that of its id, and without one it is refused', async () => {
  rig.answer = sends(200, answerOf([call('list', { thoughtSignature: 'c2ln' }, 'c1')]));
  await rig.ask('alone', { contents: [user('go')] });
  rig.answer = says('done');
  await rig.ask('alone', { contents: [user(result('list', 'x', 'c1'))] });
  expect(rig.sent().contents).toHaveLength(3);
  const refused = await rig.ask('alone', { contents: [user(result('list', 'x'))] });
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    {
      error: { code: 422, status: 'INVALID_ARGUMENT', message: expect.stringContaining('"list"') as string },
    },
  ]);
  expect((await rig.api.thread('alone')).last_seq).toBe(4);
});

test('a large result leaves the context, and the thread has it whole', async () => {
  const rows = Array.from({ length: 6_000 }, (_, i) => `row ${i} is shipped`).join('\n');
  const contents = [
    user('go'),
    model(call('list', { thoughtSignature: 'c2ln' }, 'c1')),
    user(result('list', rows, 'c1')),
  ];
  const answer = await rig.ask('large', { contents });
  expect(answer.status).toBe(200);
  const { output } = rig.sent().contents[2]!.parts![0]!.functionResponse!.response as { output: string };
  expect(output).toContain('read_output');
  expect(output.length).toBeLessThan(rows.length / 10);
  expect(Number(answer.headers.get('spillway-context-tokens'))).toBeLessThan(4_000);
  // The same again is found, though the model sees a stub.
  await rig.ask('large', { contents: [...contents, model('ok'), user('and?')] });
  expect((await rig.api.thread('large')).last_seq).toBe(6);
});

test('what the call took measures the thread, and is counted for the project', async () => {
  const key = await rig.stack.addProject('counted by google');
  const own = apiOf({ url: rig.stack.url, key });
  await rig.ask('usage', { contents: [user('what did it take?')] }, { key });
  const chat = async () => (await own.call<Schemas['Usage']>('GET', '/v1/usage')).body.totals.chat;
  await until('it is counted', async () => (await chat()).turns > 0);
  expect(await chat()).toMatchObject({
    turns: 1,
    input_tokens: usage.promptTokenCount,
    output_tokens: usage.candidatesTokenCount + usage.thoughtsTokenCount,
  });
  const { body } = await own.call<{ data: { usage?: unknown }[] }>('GET', '/v1/threads/usage/messages');
  expect(body.data).toHaveLength(2);
});

describe('an answer that is not whole', () => {
  test('of a caller that leaves ends the call, is counted, and is not recorded', async () => {
    const key = await rig.stack.addProject('left google');
    const own = apiOf({ url: rig.stack.url, key });
    const left = Promise.withResolvers<void>();
    rig.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(answerOf([{ text: 'half' }], null)));
      response.once('close', () => left.resolve());
    };
    const abort = new AbortController();
    const got = await rig.ask('left', { contents: [user('a')] }, { ...stream, key, signal: abort.signal });
    await got.body!.getReader().read();
    abort.abort();
    await left.promise;
    const chat = async () => (await own.call<Schemas['Usage']>('GET', '/v1/usage')).body.totals.chat;
    await until('it is counted', async () => (await chat()).turns > 0);
    expect((await own.thread('left')).last_seq).toBe(1);
  });

  test.each<[string, string, boolean]>([
    ['breaks off', event(answerOf([{ text: 'half' }], null)), true],
    ['ends without a reason', event(answerOf([{ text: 'half' }], null)), false],
    [
      'ends with an error',
      event(answerOf([{ text: 'half' }], null)) + event({ error: { code: 503, status: 'UNAVAILABLE' } }),
      false,
    ],
    [
      // Models may give a reason with each piece.
      'ends with an error behind a reason',
      event(answerOf([{ text: 'half' }])) + event({ error: { code: 503, status: 'UNAVAILABLE' } }),
      false,
    ],
  ])('because it %s is passed on, and not recorded', async (how, bytes, breaks) => {
    rig.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes, () => (breaks ? response.destroy() : response.end()));
    };
    const id = `cut-${how.length}`;
    const read = rig.ask(id, { contents: [user('a')] }, stream).then((got) => got.text());
    if (breaks) await expect(read).rejects.toThrow();
    else expect(await read).toBe(bytes);
    expect(await shown(id)).toEqual(['user: a']);
  });

  test('because its reason comes with each piece is recorded as a whole', async () => {
    rig.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(['all ', 'of ', 'it'].map((text) => event(answerOf([{ text }]))).join(''));
    };
    await (await rig.ask('reasons', { contents: [user('a')] }, stream)).text();
    expect(await shown('reasons')).toEqual(['user: a', 'assistant: all of it']);
  });

  test.each([true, false])(
    'because it has a form of its own is passed on (streamed: %s)',
    async (isStream) => {
      const own = JSON.stringify({ candidates: { 0: 'of a form that nobody knows' } });
      rig.answer = (response) => {
        response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
        response.end(isStream ? `data: ${own}\r\n\r\n` : own);
      };
      const id = `own-form-${isStream}`;
      const got = await rig.ask(id, { contents: [user('a')] }, isStream ? stream : {});
      expect([got.status, await got.text()]).toEqual([200, isStream ? `data: ${own}\r\n\r\n` : own]);
      expect(await shown(id)).toEqual(['user: a']);
    },
  );

  test('because Google blocked the question is passed on', async () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } };
    rig.answer = sends(200, blocked);
    expect(await (await rig.ask('blocked', { contents: [user('a')] })).json()).toEqual(blocked);
    expect(await shown('blocked')).toEqual(['user: a']);
  });
});

test('the rest of an answer goes on behind the context that it began with, and is recorded with its beginning', async () => {
  const contents = [user('Count.')];
  rig.answer = sends(200, answerOf([{ text: 'One, ' }], 'CONTINUATION', { continuationToken: 'dG9rZW4=' }));
  await rig.ask('rest', { contents });
  const first = rig.sent();
  expect(await shown('rest')).toEqual(['user: Count.']);
  rig.answer = says('two.');
  expect((await rig.ask('rest', { contents, continuationToken: 'dG9rZW4=' })).status).toBe(200);
  expect(rig.sent()).toEqual({ ...first, continuationToken: 'dG9rZW4=' });
  expect(await shown('rest')).toEqual(['user: Count.']);
  await rig.ask('rest', { contents: [...contents, model('One, two.'), user('On.')] });
  expect(await shown('rest')).toEqual([
    'user: Count.',
    'assistant: One, two.',
    'user: On.',
    'assistant: two.',
  ]);
  // Nothing was served for this one.
  const other = await rig.ask('no-rest', { contents, continuationToken: 'dG9rZW4=' });
  expect([other.status, await other.json()]).toMatchObject([422, { error: { status: 'INVALID_ARGUMENT' } }]);
});

test('an error of Google is passed on as it is, and the question stays recorded for the next try', async () => {
  const error = {
    error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED', details: [] },
  };
  rig.answer = sends(429, error);
  const got = await rig.ask('limited', { contents: [user('a')] }, stream);
  expect([got.status, await got.json()]).toEqual([429, error]);
  expect(await shown('limited')).toEqual(['user: a']);
  rig.answer = says('now');
  await rig.ask('limited', { contents: [user('a')] });
  expect(await shown('limited')).toEqual(['user: a', 'assistant: now']);
});

const contents = [user('a')];
test.each<[string, () => Promise<Response>, number, string, string, string?]>([
  [
    'no thread',
    () => rig.ask('', { contents }),
    422,
    'INVALID_ARGUMENT',
    'invalid_request',
    '/spillway-thread',
  ],
  [
    'the name of a user, which these requests do not have,',
    () => rig.ask('', { contents }, { headers: { 'spillway-thread-from': 'user' } }),
    ...([422, 'INVALID_ARGUMENT', 'invalid_request', '/spillway-thread-from'] as const),
  ],
  ['no contents', () => rig.ask('refused', {}), 422, 'INVALID_ARGUMENT', 'invalid_request', '/contents'],
  [
    'contents without parts',
    () => rig.ask('refused', { contents: [user()] }),
    422,
    'INVALID_ARGUMENT',
    'invalid_request',
    '/contents',
  ],
  [
    'a part of a wrong type',
    () => rig.ask('refused', { contents: [{ parts: [{ text: 5 }] }] }),
    ...([422, 'INVALID_ARGUMENT', 'invalid_request', '/contents/0/parts/0/text'] as const),
  ],
  [
    'no JSON',
    () =>
      fetch(`${rig.google.url}/v1beta/models/${gemini}:generateContent`, {
        method: 'POST',
        body: '{',
        headers: { 'x-goog-api-key': rig.stack.key, 'content-type': 'application/json' },
      }),
    400,
    'INVALID_ARGUMENT',
    'malformed_json',
  ],
  [
    'an unknown role',
    () => rig.ask('refused', { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }),
    ...([422, 'INVALID_ARGUMENT', 'invalid_request', '/contents/0/role'] as const),
  ],
  [
    'contents at Google',
    () => rig.ask('refused', { contents, cachedContent: 'cachedContents/1' }),
    422,
    'INVALID_ARGUMENT',
    'invalid_request',
    '/cachedContent',
  ],
  [
    'a stream as a list',
    () => rig.ask('refused', { contents }, { method: `${gemini}:streamGenerateContent` }),
    ...([422, 'INVALID_ARGUMENT', 'invalid_request', '/alt'] as const),
  ],
  [
    'another model',
    () => rig.ask('refused', { contents }, { method: 'gemini-9:generateContent' }),
    422,
    'INVALID_ARGUMENT',
    'invalid_request',
    '/model',
  ],
  [
    'another method',
    () => rig.ask('refused', { contents }, { method: `${gemini}:embedContent` }),
    404,
    'NOT_FOUND',
    'not_found',
  ],
  [
    'a wrong key',
    () => rig.ask('refused', { contents }, { key: 'sw_wrong' }),
    401,
    'UNAUTHENTICATED',
    'unauthorized',
  ],
])('%s is refused in the form of Google', async (_, send, status, kind, reason, field) => {
  const answer = await send();
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const body = (await answer.json()) as { error: { details: object[] } };
  expect([answer.status, body]).toMatchObject([
    status,
    { error: { code: status, status: kind, message: expect.any(String) as string } },
  ]);
  expect(body.error.details[0]).toMatchObject({ reason });
  if (field) expect(body.error.details[1]).toMatchObject({ fieldViolations: [{ field }] });
  expect(rig.received).toEqual([]);
  expect((await rig.api.call('GET', '/v1/threads/refused')).status).toBe(404);
});

describe('the key of a caller', () => {
  const own = () => ({ 'spillway-key': rig.stack.key });

  test('may be that of Spillway in either header', async () => {
    const { google, stack } = rig;
    for (const headers of [{ 'x-goog-api-key': stack.key }, { authorization: `Bearer ${stack.key}` }]) {
      const answer = await fetch(`${google.url}/v1beta/models/${gemini}:generateContent`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'spillway-thread': 'keys' },
        body: JSON.stringify({ contents }),
      });
      expect(answer.status).toBe(200);
    }
  });

  test.each([{ 'x-goog-api-key': 'of-the-caller' }, { authorization: 'Bearer ya29.of-the-caller' }])(
    'at Google goes there in the header in which it came, for any model: %j',
    async (sent) => {
      const answer = await fetch(`${rig.google.url}/v1beta/models/gemini-9:generateContent`, {
        method: 'POST',
        headers: { ...sent, ...own(), 'content-type': 'application/json', 'spillway-thread': 'own' },
        body: JSON.stringify({ contents }),
      });
      expect(answer.status).toBe(200);
      const { authorization, 'x-goog-api-key': key } = rig.received.at(-1)!.headers;
      expect({ authorization, 'x-goog-api-key': key }).toEqual(sent);
      expect(JSON.stringify(rig.received)).not.toContain(rig.stack.key);
    },
  );
});

test('tokens of a request are counted by Google, about what the caller would send', async () => {
  rig.answer = sends(200, { totalTokens: 31 });
  const asked = { generateContentRequest: { model: `models/${gemini}`, contents } };
  const answer = await rig.ask('', asked, { method: `${gemini}:countTokens` });
  expect([answer.status, await answer.json()]).toEqual([200, { totalTokens: 31 }]);
  expect(rig.received).toMatchObject([
    {
      url: `/v1/models/${gemini}:countTokens`,
      headers: { 'x-goog-api-key': 'key-of-the-server' },
      body: asked,
    },
  ]);
  const other = await rig.ask('', { contents }, { method: 'gemini-9:countTokens' });
  expect(other.status).toBe(422);
});

test("a project's own upstream of Google is called with its key, for its models", async () => {
  const key = await rig.stack.addProject('with google');
  const own = apiOf({ url: rig.google.url, key });
  await own.call('PUT', '/v1/upstreams/google', { key: 'key-of-the-project', models: ['gemini-9'] });
  const { body } = await own.call<{ data: object[] }>('GET', '/v1/upstreams');
  // As the SDK takes an address, and as the paths of the API need it.
  expect(body.data).toMatchObject([
    { provider: 'google', base_url: 'https://generativelanguage.googleapis.com/v1beta', has_key: true },
  ]);
  const refused = await rig.ask('mine', { contents }, { key });
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: { code: 422 } }]);
  const internal = await own.call('PUT', '/v1/upstreams/google', { base_url: 'http://127.0.0.1:9' });
  expect(internal).toMatchObject({ status: 422, body: { code: 'upstream_url_refused' } });
});

test('a history of screenshots may be as large as those of the others, and is recorded once', async () => {
  const shot = (n: number) => Buffer.alloc(4 * 1024 * 1024, `screenshot ${n} `).toString('base64');
  const history = [0, 1].map((n) =>
    user(`step ${n}`, { inlineData: { mimeType: 'image/png', data: shot(n) } } as object),
  );
  expect((await rig.ask('shots', { contents: [...history, user('a')] })).status).toBe(200);
  const whole = [...history, user('a'), model('ok'), user('b')];
  expect((await rig.ask('shots', { contents: whole })).status).toBe(200);
  expect(rig.sent().contents).toEqual(whole);
  expect((await rig.api.thread('shots')).last_seq).toBe(6);
});

test('a thread token is a key that names its thread', async () => {
  await rig.api.createThread({ id: 'of-a-token' });
  const { body } = await rig.api.call<{ token: string }>('POST', '/v1/threads/of-a-token/tokens', {
    scopes: ['messages:write', 'context:read'],
  });
  const answer = await rig.ask('', { contents }, { key: body.token });
  expect([answer.status, answer.headers.get('spillway-thread')]).toEqual([200, 'of-a-token']);
  expect((await rig.ask('another', { contents }, { key: body.token })).status).toBe(404);
});

test('a thread of another format goes on at Google, and a thread of Google at another', async () => {
  await rig.api.createThread({ id: 'moved', model: 'gpt-4o-mini' });
  await rig.api.append('moved', { role: 'user', content: 'a' }, { role: 'assistant', content: 'b' });
  await rig.ask('moved', { contents: [user('c')] });
  expect(rig.sent().contents).toEqual([user('a'), model('b'), user('c')]);
  const { messages } = (
    await rig.api.call<{ messages: object[] }>('GET', '/v1/threads/moved/context?format=openai')
  ).body;
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'ok' });
});

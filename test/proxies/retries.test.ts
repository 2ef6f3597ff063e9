import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assistant, model, replies, startProxyRig, user, type ProxyRig } from './proxy-rig.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());
beforeEach(() => {
  rig.received = [];
});

/** What the model was sent last. */
const sent = () => rig.received.at(-1)!.body.messages;
const texts = () => sent().map(({ content }) => content);

describe('a request again', () => {
  test('adds nothing where the answer that it replaces was said before', async () => {
    rig.answer = replies('Done.');
    const conversation = [user('first'), assistant('Done.'), user('second')];
    await rig.post('repeated', [user('first')]);
    await rig.post('repeated', conversation);
    await rig.post('repeated', conversation);
    expect(texts()).toEqual(['first', 'Done.', 'second']);
    await rig.post('repeated', [...conversation.slice(0, 2), user('second, edited')]);
    expect(texts()).toEqual(['first', 'Done.', 'second, edited']);
    expect(await rig.shown('repeated')).toHaveLength(4);
  });

  test('that is refused takes nothing back', async () => {
    rig.answer = replies('kept');
    await rig.post('refused', [user('first')]);
    const again = [user('first'), { role: 'wizard', content: 'second' }];
    expect((await rig.post('refused', again)).status).toBe(422);
    expect(await rig.shown('refused')).toEqual(['user: first', 'assistant: kept']);
  });

  test('with another text as its only message is a new message, and the first one after a rewind to 0', async () => {
    rig.answer = replies('Paris.');
    await rig.post('alone', [user('Capital of France?')]);
    await rig.post('alone', [user('Capital of Spain?')]);
    expect(texts()).toEqual(['Capital of France?', 'Paris.', 'Capital of Spain?']);
    await rig.api.call('POST', '/v1/threads/alone/rewind', { to_seq: 0 });
    await rig.post('alone', [user('Capital of Spain?')]);
    expect(texts()).toEqual(['Capital of Spain?']);
  });

  test.each([
    ['the only message', []],
    ['a later message', [user('hello'), assistant('hi')]],
  ])('with another image in %s sends that one', async (name, before) => {
    rig.answer = replies('a dog');
    const id = `image-${before.length}`;
    await rig.post(id, [...before, picture('first')]);
    await rig.post(id, [...before, picture('second')]);
    expect(sent(), name).toEqual([...before, picture('second')]);
    await rig.post(id, [...before, picture('second'), assistant('a dog'), user('sure?')]);
    expect(await rig.shown(id)).toHaveLength(before.length + 4);
  });

  test('with another result of the same call sends that one, and large ones are told apart too', async () => {
    rig.answer = replies('ok');
    const calls = ['c1', 'c2'].map((id) => ({
      ...{ id, type: 'function' },
      function: { name: 'build', arguments: '{}' },
    }));
    const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
    const large = Array.from({ length: 6_000 }, (_, i) => `line ${i} passed`);
    const asked = [user('build'), { role: 'assistant', content: null, tool_calls: calls }];
    await rig.post('results', [...asked, result('c1', 'interrupted'), result('c2', large.join('\n'))]);
    const finished = [result('c1', 'passed'), result('c2', [...large, 'all of it'].join('\n'))];
    await rig.post('results', [...asked, ...finished]);
    expect(sent()).toHaveLength(4);
    expect(sent()[2]).toMatchObject(result('c1', 'passed'));
    expect(sent()[3]!.content).toContain('all of it');
    // The same again takes nothing back.
    const before = await rewinds('results');
    rig.answer = (response) => void response.writeHead(503).end();
    await rig.post('results', [...asked, ...finished, assistant('ok'), user('and now?')]);
    await rig.post('results', [...asked, ...finished, assistant('ok'), user('and now?')]);
    expect(await rewinds('results')).toBe(before);
  });
});

test('what an earlier request brought stays as it was recorded, however the caller shortens it', async () => {
  rig.answer = replies('a dog');
  await rig.post('shortened', [picture('first')]);
  await rig.post('shortened', [picture('second'), assistant('a dog'), user('sure?')]);
  expect(sent()).toEqual([picture('first'), expect.objectContaining(assistant('a dog')), user('sure?')]);
});

test('each of several callers at once is asked about its own message', async () => {
  rig.answer = async (response) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    replies('hello')(response);
  };
  const names = ['one', 'two', 'three', 'four'];
  for (let round = 0; round < 12; round++) {
    // The SDK tries again when the others were faster each time.
    const openai = new OpenAI({
      apiKey: rig.stack.key,
      baseURL: `${rig.stack.url}/v1`,
      defaultHeaders: { 'Spillway-Thread': `at-once-${round}` },
    });
    rig.received = [];
    await Promise.all(names.map((name) => openai.chat.completions.create({ model, messages: [user(name)] })));
    const asked = rig.received.map(({ body }) => body.messages.at(-1)!.content as string);
    expect(asked.toSorted()).toEqual(names.toSorted());
  }
});

/** An image in a message with the same words each time. */
const picture = (bytes: string) => ({
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${btoa(bytes)}` } },
  ],
});

/** How many recorded messages of a thread are shown no more. */
async function rewinds(id: string): Promise<number> {
  const { body } = await rig.api.call<{ data: { rewound_before?: number | null }[] }>(
    'GET',
    `/v1/threads/${id}/messages`,
  );
  return body.data.filter(({ rewound_before: mark }) => Boolean(mark)).length;
}

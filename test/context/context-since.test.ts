import type { Schemas } from '@spillway/client';
import { Spillway } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { foldOnce, folding } from '../folding-thread.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

type Context = Schemas['Context'];
const read = (id: string, since: string, more = '') =>
  api.call<Context>('GET', `/v1/threads/${id}/context?since=${since}${more}`);
const say = (content: string) => ({ role: 'user', content });
const answer = (content: string) => ({ role: 'assistant', content });

test('a context that grew is answered with what is new, in GET, POST and with an append', async () => {
  await api.append('grows', say('one'));
  const first = await api.context('grows');
  expect((await read('grows', first.fingerprint)).body).toMatchObject({ messages: [], append: [] });
  await api.append('grows', answer('two'));
  const second = await read('grows', first.fingerprint);
  expect(second.body).toMatchObject({ messages: [], append: [answer('two')], last_seq: 2 });
  expect(second.body.replay).toBeUndefined();
  const posted = await api.call<{ context: Context }>(
    'POST',
    `/v1/threads/grows/messages?context=true&since=${second.body.fingerprint}`,
    { messages: [say('three')] },
  );
  expect(posted.body.context.append).toEqual([say('three')]);
  const client = new Spillway({ baseUrl: stack.url, key: stack.key });
  const thread = client.thread('grows');
  const third = await thread.context({ since: first.fingerprint });
  expect(third.append).toEqual([answer('two'), say('three')]);
});

test('a context that began otherwise is replayed whole, with the reason', async () => {
  await api.createThread({ id: 'changes', policy: folding });
  await api.append('changes', say('one'), answer('two'), say('three'));
  const reasonOf = async (since: string, more = '') => {
    const { body } = await read('changes', since, more);
    const whole = await api.call<Context>('GET', `/v1/threads/changes/context?${more.slice(1)}`);
    expect(body.replay).toEqual(whole.body.messages);
    expect(body.append).toBeUndefined();
    return body.reason;
  };
  expect(await reasonOf('0'.repeat(64))).toBe('unknown_fingerprint');
  let held = await api.context('changes');
  expect(await reasonOf(held.fingerprint, '&format=anthropic')).toBe('format_changed');
  held = await api.context('changes');
  await api.call('PATCH', '/v1/threads/changes', { system: 'Be kind.' });
  expect(await reasonOf(held.fingerprint)).toBe('system_changed');
  held = await api.context('changes');
  await api.call('POST', '/v1/threads/changes/rewind', { to_seq: 1 });
  expect(await reasonOf(held.fingerprint)).toBe('rewound');
  held = await api.context('changes');
  await api.append('changes', answer('Yes.'));
  await foldOnce(api, 'changes');
  expect(await reasonOf(held.fingerprint)).toBe('folded');
  held = await api.context('changes');
  const { last_seq } = await api.thread('changes');
  await api.append('changes', answer('Yes.'));
  await api.call('DELETE', `/v1/threads/changes/messages/${last_seq}`);
  expect(await reasonOf(held.fingerprint)).toBe('rewritten');
});

test('since is of the context of now', async () => {
  await api.append('now', say('one'));
  const { fingerprint } = await api.context('now');
  for (const more of ['&at=1', '&omit=messages'])
    expect(await read('now', fingerprint, more)).toMatchObject({ status: 422 });
  expect((await read('now', 'nonsense')).status).toBe(422);
});

test('a change of the tools is not missed when another caller reads the context first', async () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
  await api.createThread({ id: 'tools-change', tools: [tool('look')] });
  await api.append('tools-change', say('one'));
  const held = await api.context('tools-change');
  await api.call('PATCH', '/v1/threads/tools-change', { tools: [tool('fetch')] });
  const others = await api.context('tools-change');
  expect(others.messages).toEqual(held.messages);

  const since = await read('tools-change', held.fingerprint);
  expect(since.body.append).toBeUndefined();
  expect(since.body.replay).toEqual(others.messages);
  expect(since.body.fingerprint).toBe(others.fingerprint);
  const past = await api.context('tools-change', '?at=1');
  expect(past.served).toMatchObject({ exact: true });
});

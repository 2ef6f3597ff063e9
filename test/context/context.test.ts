import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { settled } from '../folding-thread.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

const policy = { context: { context_window: 8_000 } };
const words = (n: number, text: string) => `${text} ${'lorem ipsum dolor '.repeat(n)}`;

test('a context that did not change is 304, and its ETag changes with the next message', async () => {
  await api.append('etag', { role: 'user', content: 'one' });
  const path = '/v1/threads/etag/context';
  const first = await api.call('GET', path);
  const etag = first.headers.get('etag')!;
  const again = await api.call('GET', path, undefined, { 'if-none-match': etag });
  expect(again).toMatchObject({ status: 304, body: '' });
  await api.append('etag', { role: 'user', content: 'two' });
  expect((await api.call('GET', path, undefined, { 'if-none-match': etag })).status).toBe(200);
});

test('a context whose messages are the same and that says something else has another ETag', async () => {
  const id = 'etag-of-all';
  await api.append(id, { role: 'user', content: 'one' });
  const change = async (settings: object) =>
    expect((await api.call('PATCH', `/v1/threads/${id}`, settings)).status).toBe(200);
  const tool = { type: 'function', function: { name: 'sh', parameters: { type: 'object' } } };
  const changes = [
    ['?tools=true', { policy: { outputs: { tool_names: { search_history: 'find_in_thread' } } } }],
    ['', { tools: [tool] }],
    ['?omit=messages', { tools: [tool, tool] }],
  ] as const;
  for (const [query, settings] of changes) {
    const path = `/v1/threads/${id}/context${query}`;
    const known = { 'if-none-match': (await api.call('GET', path)).headers.get('etag')! };
    expect((await api.call('GET', path, undefined, known)).status).toBe(304);
    await change(settings);
    expect((await api.call('GET', path, undefined, known)).status, query).toBe(200);
  }
});

test('POST takes the options of a context as JSON: a system prompt that no address holds, and the same answer', async () => {
  await api.createThread({ id: 'post', policy: { context: { context_window: 100_000 } } });
  await api.append('post', { role: 'user', content: 'one' }, { role: 'user', content: 'two' });
  const path = '/v1/threads/post/context';
  const both = { format: 'anthropic', max_tokens: 5_000, alternate: true, reasoning: 'strip', model: 'x' };
  const query = new URLSearchParams({ ...both, max_tokens: '5000', alternate: 'true', system: 'Be brief.' });
  const asked = await api.call('GET', `${path}?${query.toString()}`);
  const posted = await api.call('POST', path, { ...both, system: 'Be brief.' });
  expect(posted).toMatchObject({ status: 200, body: asked.body as object });
  expect(posted.headers.get('etag')).toBe(asked.headers.get('etag'));

  const system = 'Be brief. '.repeat(5_000);
  const refused = await api.call<{ code: string; detail: string }>(
    'GET',
    `${path}?system=${encodeURIComponent(system.slice(0, 8_000))}`,
  );
  expect(refused).toMatchObject({ status: 414, body: { code: 'uri_too_long' } });
  expect(refused.body.detail).toContain('POST to the same path');
  const long = await api.call<Schemas['Context']>('POST', path, { system });
  expect(long).toMatchObject({ status: 200, body: { system } });
  expect(long.body.tokens.system).toBeGreaterThan(10_000);
  // It was served: `at` shows it.
  expect((await api.context('post', '?at=2')).system).toBe(system);
  expect((await api.call('POST', path, { at: 1, system: 'Be brief.' })).body).toMatchObject({ last_seq: 1 });
  expect((await api.call('POST', path, { at: 9 })).status).toBe(422);
  expect((await api.call('POST', path, { alternate: 'true' })).status).toBe(422);
});

test('at=N is what was served when N was the newest, across compactions', async () => {
  await api.createThread({ id: 'at', policy });
  const served: unknown[][] = [];
  for (let i = 0; i < 60; i++) {
    await api.append('at', { role: i % 2 ? 'assistant' : 'user', content: words(40, `message ${i}`) });
    const context = await api.context('at');
    served.push(context.messages);
    if (i % 10 === 0) await settled(api, 'at');
  }
  expect((await settled(api, 'at')).compaction.generation).toBeGreaterThan(1);
  for (let seq = 1; seq < 60; seq++) {
    expect((await api.context('at', `?at=${seq}`)).messages, `at ${seq}`).toEqual(served[seq - 1]);
  }
});

test('a message is pinned later: at once while no summary covers it, and by a new summary once one does', async () => {
  const change = (id: string, seq: number, pinned: boolean) =>
    api.call<{ code?: string; pinned?: boolean; compaction?: { state: string } }>(
      'PATCH',
      `/v1/threads/${id}/messages/${seq}`,
      { pinned },
    );
  const word = { role: 'user', content: 'The codeword is heron.' };
  const carries = async () => (await api.context('later')).messages.some((m) => m.content === word.content);
  await api.createThread({ id: 'later', policy });
  await api.append('later', { role: 'user', content: 'Hello.' }, word, {
    role: 'user',
    content: words(1_200, 'long'),
  });
  expect((await change('later', 2, true)).body).toMatchObject({ seq: 2, pinned: true });
  expect((await change('later', 2, false)).body).toMatchObject({ pinned: false });
  expect((await change('later', 3, true)).body.code).toBe('pinned_too_large');
  expect((await change('later', 99, true)).body.code).toBe('message_not_found');
  for (let i = 0; i < 30; i++)
    await api.append('later', { role: i % 2 ? 'user' : 'assistant', content: words(40, `message ${i}`) });
  const covered = await settled(api, 'later');
  expect(covered.compaction.covered_through).toBeGreaterThan(2);
  expect(await carries()).toBe(false);

  expect((await change('later', 2, true)).status).toBe(200);
  await until('a summary with the pinned message beside it', carries);
  await settled(api, 'later');
  expect((await change('later', 2, false)).status).toBe(200);
  await until('a summary that stands for it again', async () => !(await carries()));
});

test('system messages lead every context and pinned ones are never summarized', async () => {
  await api.createThread({ id: 'pinned', policy, system: 'Be brief.' });
  const system = { role: 'system', content: 'You are a careful agent.' };
  const pinned = { role: 'user', content: 'Never push to main.' };
  await api.append('pinned', system, { ...pinned, pinned: true });
  for (let i = 0; i < 60; i++) {
    await api.append('pinned', { role: i % 2 ? 'user' : 'assistant', content: words(40, `message ${i}`) });
    if (i % 10 === 0) await settled(api, 'pinned');
  }
  const thread = await settled(api, 'pinned');
  expect(thread.compaction.covered_through).toBeGreaterThan(10);
  const context = await api.context('pinned');
  expect(context.system).toBe('Be brief.');
  expect(context.messages[0]).toEqual(system);
  expect(context.messages).toContainEqual(pinned);
  // A word of the assistant keeps the summary and the user's message apart.
  const kinds = context.parts.map((part) => part.kind);
  expect(kinds.slice(0, 4)).toEqual(['system', 'summary', 'note', 'carried']);
  expect(context.tokens.total).toBe(context.tokens.system + context.tokens.summary + context.tokens.recent);
});

test('inside one very long turn the cut goes through it and the user message stays verbatim', async () => {
  await api.createThread({ id: 'turn', policy });
  const task = { role: 'user', content: 'Fix all two hundred tests, but leave the database alone.' };
  await api.append('turn', task);
  for (let i = 0; i < 100; i++) {
    const call = { id: `call_${i}`, type: 'function', function: { name: 'run', arguments: `{"test":${i}}` } };
    await api.append('turn', { role: 'assistant', content: null, tool_calls: [call] });
    await api.append('turn', { role: 'tool', tool_call_id: call.id, content: words(30, `result ${i}`) });
    const context = await api.context('turn');
    expect(context.messages).toContainEqual(task);
  }
  const thread = await settled(api, 'turn');
  expect(thread.compaction.generation).toBeGreaterThan(1);
  expect((await api.context('turn')).parts.filter((part) => part.kind === 'carried')).toEqual([
    { kind: 'carried', seq: 1, tokens: expect.any(Number) as number },
  ]);
});

test('compact now: below the trigger, with a lower one for this call, and when there is nothing', async () => {
  await api.createThread({ id: 'manual', policy: { context: { context_window: 100_000 } } });
  await api.append(
    'manual',
    ...Array.from({ length: 20 }, (_, i) => ({ role: 'user', content: words(40, `m ${i}`) })),
  );
  const compact = (body: object) =>
    api.call<{ result: string; compaction: { generation: number } }>(
      'POST',
      '/v1/threads/manual/compactions',
      body,
    );
  expect((await compact({})).body.result).toBe('below_trigger');
  const low = { policy: { context: { trigger_tokens: 1_000, reserve_ratio: 0 } }, wait_ms: 20_000 };
  const compacted = await compact(low);
  expect(compacted).toMatchObject({
    status: 200,
    body: { result: 'compacted', compaction: { generation: 1 } },
  });
  expect((await api.compactions('manual'))[0]).toMatchObject({ trigger: 'manual', outcome: 'compacted' });
  expect((await compact({ policy: { context: { trigger_tokens: 1, reserve_ratio: 0 } } })).body.result).toBe(
    'nothing_to_compact',
  );
});

test('an older generation can be restored, and the summary rebuilt, each in a chain of its own', async () => {
  await api.createThread({ id: 'chains', policy });
  for (let i = 0; i < 60; i++) {
    await api.append('chains', { role: i % 2 ? 'assistant' : 'user', content: words(40, `message ${i}`) });
    if (i % 10 === 0) await settled(api, 'chains');
  }
  const { compaction } = await settled(api, 'chains');
  const [first] = await api.summaries('chains');
  // With room enough nothing is due, or a worker might fold what was restored before the answer is read.
  await api.call('PATCH', '/v1/threads/chains', { policy: { context: { context_window: 1_000_000 } } });
  const restored = await api.call<{ generation: number }>('POST', '/v1/threads/chains/summaries/1/restore');
  expect(restored.body).toMatchObject({
    generation: compaction.generation + 1,
    chain: 2,
    from_seq: 1,
    to_seq: first!.to_seq,
    fields: first!.fields,
    restored_from: 1,
    active: true,
  });
  await api.call('PATCH', '/v1/threads/chains', { policy });
  await settled(api, 'chains');
  const rebuild = await api.call<{ result: string }>('POST', '/v1/threads/chains/rebuild');
  expect(rebuild.status).toBe(202);
  await until('it is rebuilt', async () => (await api.summaries('chains')).at(-1)!.chain === 3);
  const last = (await api.summaries('chains')).at(-1)!;
  expect(last).toMatchObject({ from_seq: 1, active: true });
  expect((await api.context('chains')).tokens.total).toBeLessThanOrEqual(4_000);
});

test('a changed policy applies to threads that exist, at their next message', async () => {
  await api.append(
    'policy',
    { role: 'user', content: words(300, 'x') },
    { role: 'user', content: words(300, 'y') },
  );
  expect((await api.thread('policy')).compaction.state).toBe('idle');
  const put = await api.call('PUT', '/v1/policy', { context: { context_window: 2_000 } });
  expect(put).toMatchObject({ status: 200, body: { effective: { context: { context_window: 2_000 } } } });
  const posted = await api.append('policy', { role: 'user', content: 'z' });
  expect(posted.thread.context_window).toBe(2_000);
  const context = await api.context('policy');
  expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
  await api.call('PUT', '/v1/policy', {});
});

test("a model's window comes from the registry, or from an override", async () => {
  const known = await api.createThread({ id: 'known', model: 'openai/gpt-4o-2024-08-06' });
  expect(known.context_window).toBe(128_000);
  expect((await api.createThread({ id: 'unknown', model: 'nobody-knows' })).context_window).toBe(8_192);
  await api.call('PUT', '/v1/models/nobody-knows', { context_window: 50_000 });
  expect((await api.createThread({ id: 'override', model: 'nobody-knows' })).context_window).toBe(50_000);
});

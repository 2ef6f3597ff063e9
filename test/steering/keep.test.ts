import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { foldOnce, turns } from '../folding-thread.js';
import { toolCall, toolResult, toolRun } from '../tool-calls.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

const policy = {
  context: { context_window: 16_000, trigger_ratio: 0.4 },
  outputs: { threshold_tokens: 300, preview_tokens: 150 },
  summary: { max_tokens: 300 },
};
const linesOf = (word: string, n: number) =>
  Array.from({ length: n }, (_, i) => `${word} ${i} lorem ipsum`).join('\n');
type Held = Schemas['Held'] & { code: string; detail: string };
const post = (path: string, body?: object) => api.call<Held>('POST', path, body);

test('a kept output is whole after the next fold, and a released one is one line', async () => {
  await api.createThread({ id: 'kept', policy });
  const text = linesOf('alpha', 120);
  const other = linesOf('beta', 120);
  const posted = await api.append(
    'kept',
    { role: 'user', content: 'Please list both.' },
    ...toolRun('a', text),
    ...toolRun('b', other),
  );
  const [a, b] = [posted.messages[2]!.output!.id, posted.messages[4]!.output!.id];
  const before = await api.context('kept');
  const kept = await post(`/v1/outputs/${a}/keep`);
  expect(kept).toMatchObject({ status: 200, body: { hold: 'whole', seqs: [2, 3], max_kept_tokens: 2976 } });
  expect(kept.body.kept_tokens).toBeGreaterThan(500);
  expect((await post(`/v1/outputs/${b}/release`)).body).toMatchObject({ hold: 'release', seqs: [5] });
  // Nothing changes before the next fold.
  expect((await api.context('kept')).messages).toEqual(before.messages);
  await foldOnce(api, 'kept');
  const folded = await api.context('kept');
  expect(folded.messages).toContainEqual(toolResult('a', text));
  expect(JSON.stringify(folded.messages)).not.toContain('beta 119');
  const [first] = await api.summaries('kept');
  expect(first).toMatchObject({ carried: [2, 3], kept: [2, 3], whole: [3] });
  expect(folded.tokens.total).toBeLessThanOrEqual(folded.budget.limit);
  const thread = await api.thread('kept');
  expect(Math.abs(thread.live_tokens - folded.tokens.total)).toBeLessThan(150);

  // It grows at its end only, through the fold after it, and goes once it is released.
  await api.append('kept', { role: 'assistant', content: 'Go on.' });
  const grown = await api.context('kept');
  expect(grown.messages.slice(0, folded.messages.length)).toEqual(folded.messages);
  await foldOnce(api, 'kept');
  expect((await api.context('kept')).messages).toContainEqual(toolResult('a', text));
  expect((await post(`/v1/outputs/${a}/release`)).status).toBe(200);
  await post('/v1/threads/kept/messages/release', { from_seq: 2, to_seq: 3 });
  expect((await api.context('kept')).messages).toContainEqual(toolResult('a', text));
  await foldOnce(api, 'kept');
  expect(JSON.stringify((await api.context('kept')).messages)).not.toContain('alpha 119');
  const messages = await api.call<{ data: { seq: number; hold: string | null }[] }>(
    'GET',
    '/v1/threads/kept/messages?limit=6',
  );
  expect(messages.body.data.map((one) => one.hold)).toEqual([
    null,
    'release',
    'release',
    null,
    'release',
    null,
  ]);
});

test('a result that is released while it is recent becomes one line, and its call stays', async () => {
  await api.createThread({
    id: 'line',
    policy: { ...policy, context: { ...policy.context, keep_recent_turns: 2 } },
  });
  await api.append('line', ...turns(8));
  const { messages } = await api.append(
    'line',
    { role: 'user', content: 'Now look.' },
    ...toolRun('r', `${'a short result that stays in the thread '.repeat(20)}`),
    { role: 'assistant', content: 'Looked.' },
  );
  const seq = messages[2]!.seq;
  expect((await post('/v1/threads/line/messages/release', { from_seq: seq, to_seq: seq })).body.seqs).toEqual(
    [seq],
  );
  const compacted = await api.call('POST', '/v1/threads/line/compactions', {
    policy: { context: { trigger_tokens: 500, min_reclaim_ratio: 0 } },
    wait_ms: 30_000,
  });
  expect(compacted.body).toMatchObject({ result: 'compacted' });
  const context = await api.context('line');
  expect((await api.summaries('line'))[0]).toMatchObject({ released: [seq] });
  const result = context.messages.find((one) => one.role === 'tool') as { content: string };
  expect(result.content).toMatch(/^\[Cleared to save space: this result is message \d+/);
  expect(context.messages).toContainEqual(toolCall('r'));
});

test('a covered message comes back with the next fold, each call with its result', async () => {
  await api.createThread({ id: 'back', policy });
  await api.append('back', { role: 'user', content: 'The codeword is heron.' }, ...toolRun('c', 'ok'));
  await foldOnce(api, 'back');
  expect((await api.context('back')).messages).not.toContainEqual(toolCall('c'));
  // The user's words and the result; the call comes with it.
  expect((await post('/v1/threads/back/messages/keep', { from_seq: 3, to_seq: 3 })).body.seqs).toEqual([
    2, 3,
  ]);
  expect((await post('/v1/threads/back/messages/keep', { from_seq: 1, to_seq: 1 })).body.seqs).toEqual([1]);
  await foldOnce(api, 'back');
  const context = await api.context('back');
  expect(context.messages).toContainEqual({ role: 'user', content: 'The codeword is heron.' });
  const at = context.messages.findIndex((one) => JSON.stringify(one) === JSON.stringify(toolCall('c')));
  expect(context.messages[at + 1]).toEqual(toolResult('c', 'ok'));
  // An undo brings the summary before it back, which kept nothing.
  const { generation } = (await api.thread('back')).compaction;
  expect((await api.call('DELETE', `/v1/threads/back/summaries/${generation}`)).status).toBe(200);
  expect((await api.context('back')).messages).not.toContainEqual(toolCall('c'));
});

test('a message is kept though a thousand newer ones were released', async () => {
  const id = 'many-released';
  await api.createThread({ id, policy });
  const codeword = { role: 'user', content: 'The codeword is heron.' };
  const short = Array.from({ length: 1_010 }, (_, i) => ({
    role: i % 2 ? 'user' : 'assistant',
    content: `${i}`,
  }));
  await api.append(id, codeword, ...short.slice(0, 500));
  await api.append(id, ...short.slice(500));
  await foldOnce(api, id);
  for (let from = 4; from < 1_004; from += 200) {
    const body = { from_seq: from, to_seq: from + 199 };
    expect((await post(`/v1/threads/${id}/messages/release`, body)).status).toBe(200);
  }
  const kept = await post(`/v1/threads/${id}/messages/keep`, { from_seq: 1, to_seq: 1 });
  expect(kept).toMatchObject({ status: 200, body: { seqs: [1] } });
  await foldOnce(api, id);
  expect((await api.summaries(id)).at(-1)).toMatchObject({ kept: [1] });
  expect((await api.context(id)).messages).toContainEqual(codeword);
});

test('what is kept is bounded, and a wrong request says why', async () => {
  await api.createThread({ id: 'bounds', policy });
  const { messages } = await api.append('bounds', ...toolRun('l', linesOf('gamma', 2_000)), ...turns(20));
  const large = await post(`/v1/outputs/${messages[1]!.output!.id}/keep`);
  expect(large).toMatchObject({ status: 422, body: { code: 'kept_too_large' } });
  expect(large.body.detail).toMatch(/take \d+ tokens; in this thread they may take 2976 together/);
  const path = '/v1/threads/bounds/messages';
  const some = await post(`${path}/keep`, { from_seq: 3, to_seq: 10 });
  expect(some.status).toBe(200);
  expect((await post(`${path}/keep`, { from_seq: 11, to_seq: 22 })).body.code).toBe('kept_too_large');
  // Released, there is room.
  expect((await post(`${path}/release`, { from_seq: 3, to_seq: 10 })).body.kept_tokens).toBe(0);
  expect((await post(`${path}/keep`, { from_seq: 20, to_seq: 22 })).status).toBe(200);
  expect((await post(`${path}/keep`, { from_seq: 22, to_seq: 99 })).body.code).toBe('message_not_found');
  expect((await post(`${path}/keep`, { from_seq: 5, to_seq: 4 })).status).toBe(422);
  expect((await post(`${path}/keep`, { from_seq: 1, to_seq: 500 })).status).toBe(422);
  expect((await post('/v1/threads/nobody/messages/keep', { from_seq: 1, to_seq: 1 })).status).toBe(404);
  expect((await post(`/v1/outputs/out_${'0'.repeat(32)}/keep`)).body.code).toBe('output_not_found');
  const log = await api.call<{ data: { action: string }[] }>('GET', '/v1/audit?limit=200');
  expect(log.body.data.map((entry) => entry.action)).toEqual(
    expect.arrayContaining(['message.kept', 'message.released']),
  );
});

test('what several keep at the same time is bounded together', async () => {
  for (let n = 0; n < 10; n++) {
    const id = `together-${n}`;
    await api.createThread({ id, policy: { context: { context_window: 8_000 } } });
    await api.append(id, ...turns(12));
    const answers = await Promise.all(
      [1, 4, 7, 10].map((from) =>
        post(`/v1/threads/${id}/messages/keep`, { from_seq: from, to_seq: from + 2 }),
      ),
    );
    const kept = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(kept.length).toBeGreaterThan(0);
    const [{ sum }] = (await rowsOf<{ sum: number }>(
      stack.databaseUrl,
      `SELECT sum(hold_tokens)::int AS sum FROM messages m JOIN threads t ON t.uid = m.thread_uid WHERE t.id = '${id}' AND hold = 'keep'`,
    )) as [{ sum: number }];
    expect(sum).toBeLessThanOrEqual(kept[0]!.max_kept_tokens);
  }
});

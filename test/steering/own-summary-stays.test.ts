// @module-tag long
import type { Schemas } from '@spillway/client';
import { until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { expect, test } from 'vitest';
import { settled, turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';

let stub: StubLlm;
let stack: Stack;
let api: Api;
stackWithModel(
  { workers: 1, redis: false, env: { SPILLWAY_POLL_MS: '200', SPILLWAY_TIME_DIVISOR: '10' } },
  (on) => ({ stub, stack, api } = on),
);

const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
const fields = {
  task_overview: 'Only the caller knows of the zebra.',
  ...{ current_state: '', important_discoveries: '', next_steps: '', context_to_preserve: '' },
};
const act = async (method: string, path: string, body?: object) => {
  const answer = await api.call<Schemas['CompactionResult']>(method, `/v1/threads/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const shown = async (id: string) => JSON.stringify((await api.context(id)).messages);
const newest = async (id: string) => (await api.summaries(id)).at(-1)!;
const firstSeqRead = () => /^\{"seq":(\d+)/m.exec(stub.calls.at(-1)!.prompt)?.[1];

/** A thread with a caller's summary of messages 1 to 4. */
async function written(id: string) {
  await api.createThread({ id, policy });
  await api.append(id, ...turns(6, { topic: 'apples' }));
  await act('POST', `${id}/summaries`, { fields, to_seq: 4 });
}

/** The same, and a model's fold on top of it. */
async function folded(id: string) {
  await written(id);
  await api.append(id, ...turns(12, { topic: 'pears' }));
  await settled(api, id, 2);
  expect(await newest(id)).toMatchObject({ generation: 2, method: 'llm', from_seq: 5 });
  stub.reset();
}

test('a pin of a message that a caller’s own summary covers shows the message and keeps every word', async () => {
  await written('pin');
  await act('PATCH', 'pin/messages/2', { pinned: true });
  await settled(api, 'pin', 2);
  const [own, kept] = await api.summaries('pin');
  expect(kept).toMatchObject({
    ...{ method: 'caller', author: 'bootstrap', from_seq: 1, to_seq: 4, carried: [2] },
    ...{ fields: own!.fields, model: null, active: true },
  });
  expect(kept!.chain).toBeGreaterThan(own!.chain);
  expect(await shown('pin')).toMatch(/zebra.*apples 1\./);
  expect(await shown('pin')).not.toContain('apples 3.');
  await act('PATCH', 'pin/messages/2', { pinned: false });
  await settled(api, 'pin', 3);
  expect(await shown('pin')).toContain('zebra');
  expect(await shown('pin')).not.toContain('apples 1.');
  expect(stub.calls).toHaveLength(0);
  const [attempt] = await api.compactions('pin');
  expect(attempt).toMatchObject({ outcome: 'compacted', trigger: 'rebuild', method: 'caller' });
});

test('pins of all that a caller’s own summary covers show the messages at once, and it stays word for word', async () => {
  await written('all');
  for (const seq of [1, 2, 3, 4]) await act('PATCH', `all/messages/${seq}`, { pinned: true });
  await until('all pins are shown', async () => (await newest('all')).carried.length === 4);
  const [own] = await api.summaries('all');
  expect(await newest('all')).toMatchObject({ method: 'caller', to_seq: 4, fields: own!.fields });
  expect(await shown('all')).toMatch(/zebra.*apples 0\..*apples 1\..*apples 2\..*apples 3\..*apples 4\./);
  for (const seq of [1, 2, 3, 4]) await act('PATCH', `all/messages/${seq}`, { pinned: false });
  await until('no pin is shown', async () => (await newest('all')).carried.length === 0);
  expect(await shown('all')).toMatch(/zebra.*apples 4\./);
  expect(await shown('all')).not.toContain('apples 3.');
  expect(stub.calls).toHaveLength(0);
});

test('a rebuild keeps a caller’s own summary word for word, under the instructions of now', async () => {
  await api.createThread({ id: 'again', policy });
  await api.append(
    'again',
    { role: 'user', content: 'From now on answer in French only.' },
    ...turns(6, { topic: 'apples' }),
  );
  await act('POST', 'again/summaries', { fields, to_seq: 4 });
  const { body } = await api.call<{ data: { id: string }[] }>('GET', '/v1/threads/again/instructions');
  await act('PATCH', `again/instructions/${body.data[0]!.id}`, { state: 'dismissed' });
  expect(await shown('again')).toContain('French only');
  await act('POST', 'again/rebuild');
  await settled(api, 'again', 2);
  expect(await newest('again')).toMatchObject({ method: 'caller', author: 'bootstrap', to_seq: 4 });
  expect(await shown('again')).toContain('zebra');
  expect(await shown('again')).not.toContain('French only');
  expect(stub.calls).toHaveLength(0);
});

test('a rebuild of what a model folded onto a caller’s summary goes on from it, and so does a pin', async () => {
  await folded('onto');
  await act('POST', 'onto/rebuild');
  await settled(api, 'onto', 3);
  expect(stub.calls.at(-1)!.prompt).toContain('zebra');
  expect(firstSeqRead()).toBe('5');
  expect(await newest('onto')).toMatchObject({ method: 'llm', from_seq: 1 });
  await act('PATCH', 'onto/messages/3', { pinned: true });
  await settled(api, 'onto', 4);
  expect(stub.calls).toHaveLength(2);
  expect(stub.calls.at(-1)!.prompt).toContain('zebra');
  expect(firstSeqRead()).toBe('5');
  expect(await shown('onto')).toContain('apples 2.');
});

test('a rebuild that leaves only what a caller’s summary covers puts that summary in place again', async () => {
  await folded('less');
  // All turns after the caller's summary stay.
  await act('PATCH', 'less', { policy: { context: { context_window: 32_000, keep_recent_turns: 7 } } });
  await act('POST', 'less/rebuild');
  await settled(api, 'less', 3);
  expect(await newest('less')).toMatchObject({ method: 'caller', author: 'bootstrap', to_seq: 4 });
  expect(await shown('less')).toMatch(/zebra.*apples 4\./);
  expect(stub.calls).toHaveLength(0);
});

test('a caller’s summary is active again when what was folded onto it is withdrawn', async () => {
  await folded('bad');
  expect(await act('POST', 'bad/summaries/2/quarantine')).toMatchObject({ result: 'queued' });
  await folded('erased');
  await act('DELETE', 'erased/messages/7');
  for (const id of ['bad', 'erased']) {
    await settled(api, id, 3);
    const again = (await api.summaries(id)).find(({ generation }) => generation === 3);
    expect(again).toMatchObject({ method: 'caller', author: 'bootstrap', to_seq: 4, restored_from: 1 });
    expect(again!.text).toContain('zebra');
  }
  // The messages after it are over the trigger: a model folds them onto it.
  for (const { prompt } of stub.calls) expect(prompt).toContain('zebra');
  // Not over the trigger, no fold would bring it back.
  await written('small');
  await api.append('small', ...turns(3, { topic: 'plums' }));
  await act('POST', 'small/compactions', {
    policy: { context: { trigger_ratio: 0.1, reserve_ratio: 0.02 } },
  });
  await settled(api, 'small', 2);
  await act('POST', 'small/summaries/2/quarantine');
  await settled(api, 'small', 3);
  expect(await shown('small')).toMatch(/zebra.*apples 4\./);
});

test('a caller’s summary is active again when what was folded onto it was restored, and is withdrawn', async () => {
  await folded('restored');
  const other = { ...fields, task_overview: 'Another caller knows of the quagga.' };
  const { to_seq: toSeq } = await newest('restored');
  await act('POST', 'restored/summaries', { fields: other, to_seq: toSeq });
  await act('POST', 'restored/summaries/2/restore');
  expect(await newest('restored')).toMatchObject({ generation: 4, method: 'llm', restored_from: 2 });
  // Both it and the second one cover the message.
  await act('DELETE', 'restored/messages/7');
  await settled(api, 'restored', 5);
  const again = (await api.summaries('restored')).find(({ generation }) => generation === 5);
  expect(again).toMatchObject({ method: 'caller', author: 'bootstrap', to_seq: 4, restored_from: 1 });
});

test('a caller’s summary that was quarantined or undone itself does not come back', async () => {
  await folded('gone');
  await act('POST', 'gone/summaries/1/quarantine');
  await act('POST', 'gone/compactions', { policy: { context: { trigger_ratio: 0.1 } } });
  await settled(api, 'gone', 3);
  await act('POST', 'gone/rebuild');
  await settled(api, 'gone', 4);
  expect(stub.calls.map(({ prompt }) => prompt).join()).not.toContain('zebra');
  expect(await newest('gone')).toMatchObject({ method: 'llm', from_seq: 1 });
  await written('undone');
  await act('DELETE', 'undone/summaries/1');
  await act('POST', 'undone/compactions', { policy: { context: { trigger_ratio: 0.1 } } });
  await settled(api, 'undone', 2);
  expect(stub.calls.at(-1)!.prompt).not.toContain('zebra');
});

test('the place of a caller’s summary is kept through an erasure of what came after it was written', async () => {
  await written('place');
  await api.append('place', ...turns(2, { topic: 'plums' }));
  await act('PATCH', 'place/messages/2', { pinned: true });
  await settled(api, 'place', 2);
  // Its author had seen messages 1 to 6.
  await act('DELETE', 'place/messages/7');
  expect((await api.context('place')).summary).toMatchObject({ generation: 2, method: 'caller' });
  await act('DELETE', 'place/messages/6');
  expect((await api.context('place')).summary).toBeNull();
});

test('a caller’s summary stays in a fork of what was folded onto it, and is what an undo there shows', async () => {
  await folded('parent');
  const fork = (id: string) => act('POST', 'parent/fork', { id });
  await fork('rebuilt');
  const [own, onto] = await api.summaries('rebuilt');
  expect(own).toMatchObject({ method: 'caller', author: 'bootstrap', to_seq: 4, fields, active: false });
  expect(onto).toMatchObject({ method: 'llm', from_seq: 5, active: true });
  expect((await api.context('rebuilt')).messages).toEqual((await api.context('parent')).messages);
  await act('POST', 'rebuilt/rebuild');
  await settled(api, 'rebuilt', 3);
  expect(stub.calls.at(-1)!.prompt).toContain('zebra');
  expect(firstSeqRead()).toBe('5');
  // A fork of the fork too: the rebuild began a chain.
  await act('POST', 'rebuilt/fork', { id: 'again-forked' });
  expect((await api.summaries('again-forked')).map(({ method }) => method)).toEqual(['caller', 'llm']);
  await fork('undone-fork');
  await act('DELETE', 'undone-fork/summaries/2');
  expect(await shown('undone-fork')).toMatch(/zebra.*apples 4\./);
  await fork('erased-fork');
  await act('DELETE', 'erased-fork/messages/2');
  await act('POST', 'erased-fork/compactions', { policy: { context: { trigger_ratio: 0.1 } } });
  await until('the erasure ended both', async () =>
    (await api.summaries('erased-fork')).slice(0, 2).every(({ withdrawn_at: at }) => at !== null),
  );
});

test('a fork has a caller’s summary that is about to be active again in its parent, with the pins of now', async () => {
  await folded('before');
  const worker = stack.workers[0]!;
  await worker.stop();
  await act('POST', 'before/summaries/2/quarantine');
  await act('PATCH', 'before/messages/2', { pinned: true });
  await act('POST', 'before/fork', { id: 'before-fork' });
  await act('POST', 'before/fork', { id: 'before-early', at: 3 });
  expect((await api.context('before')).summary).toBeNull();
  expect((await api.context('before-fork')).summary).toMatchObject({ method: 'caller', to_seq: 4 });
  expect(await shown('before-fork')).toMatch(/zebra.*apples 4\./);
  expect(await shown('before-early')).not.toContain('zebra');
  await stack.restart(worker);
  await settled(api, 'before-fork', 2);
  const again = (await api.summaries('before-fork')).find(({ generation }) => generation === 2);
  expect(again).toMatchObject({ method: 'caller', author: 'bootstrap', to_seq: 4, carried: [2], fields });
  expect(await shown('before-fork')).toContain('apples 1.');
});

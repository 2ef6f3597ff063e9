import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { foldOnce, folding, settled, turns } from '../folding-thread.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

type Undone = Schemas['UndoneSummary'] & { code: string; detail: string };
const undo = (id: string, generation: number) =>
  api.call<Undone>('DELETE', `/v1/threads/${id}/summaries/${generation}`);

/** A thread of two folds, and its context after the first. */
async function folded(id: string) {
  await api.createThread({ id, policy: folding });
  await foldOnce(api, id);
  const one = await api.context(id);
  await foldOnce(api, id);
  return { one };
}

test('undo takes the newest fold back, one after the other, to the original messages', async () => {
  const { one } = await folded('back');
  // With more room nothing is due without the folds.
  await api.call('PATCH', '/v1/threads/back', { policy: { context: { context_window: 100_000 } } });
  const other = await undo('back', 1);
  expect(other).toMatchObject({ status: 409, body: { code: 'summary_not_newest' } });
  expect(other.body.detail).toContain('generation 2 is active');
  expect((await undo('back', 9)).status).toBe(404);

  const first = await undo('back', 2);
  expect(first).toMatchObject({
    status: 200,
    body: { undone: 2, restored_from: 1, compaction: { state: 'idle', generation: 3 } },
  });
  const [gen1, gen2, gen3] = await api.summaries('back');
  expect(gen2).toMatchObject({ active: false, undone_at: expect.any(String) as string });
  expect(gen3).toMatchObject({
    active: true,
    restored_from: 1,
    to_seq: gen1!.to_seq,
    text: gen1!.text,
    undone_at: null,
  });
  // What was served under that generation leads the context again.
  const now = await api.context('back');
  expect(now.messages.slice(0, one.messages.length)).toEqual(one.messages);
  // A call that is repeated changes nothing.
  expect((await undo('back', 2)).body).toMatchObject({ undone: 2, compaction: { generation: 3 } });

  expect((await undo('back', 3)).body).toMatchObject({ restored_from: 0, compaction: { generation: 0 } });
  const all = await api.context('back');
  expect(all).toMatchObject({ summary: null, degraded: false });
  const posted = await api.call<{ data: { message: object }[] }>(
    'GET',
    '/v1/threads/back/messages?view=original&limit=1000',
  );
  expect(all.messages).toEqual(posted.body.data.map((one) => one.message));
  // An undone generation can be restored, and that undone: then what was before the restore is active.
  expect((await api.call('POST', '/v1/threads/back/summaries/2/restore')).status).toBe(200);
  expect((await undo('back', 4)).body).toMatchObject({ restored_from: 0 });

  const log = await api.call<{ data: { action: string; detail: object }[] }>('GET', '/v1/audit?limit=100');
  const undone = log.body.data.filter((entry) => entry.action === 'summary.undone').reverse();
  expect(undone.map((entry) => entry.detail)).toEqual([
    { generation: 2 },
    { generation: 3 },
    { generation: 4 },
  ]);
  const events = await api.call<{ data: { type: string; data: object }[] }>(
    'GET',
    '/v1/threads/back/events?limit=100',
  );
  const heard = events.body.data.filter((event) => event.type === 'summary.undone').reverse();
  expect(heard.map((event) => event.data)).toMatchObject([
    { generation: 2, to_seq: gen2!.to_seq },
    { generation: 3 },
    { generation: 4 },
  ]);
});

test('undoing a fold again names what is active, also where the one before was withdrawn', async () => {
  await folded('again');
  await api.call('PATCH', '/v1/threads/again', { policy: { context: { context_window: 100_000 } } });
  // Made from the messages alone, so it does not go with the one before.
  expect((await api.call('POST', '/v1/threads/again/rebuild')).status).toBe(202);
  await settled(api, 'again', 3);
  expect((await api.call('POST', '/v1/threads/again/summaries/2/quarantine')).status).toBe(202);
  const first = await undo('again', 3);
  expect(first).toMatchObject({ status: 200, body: { restored_from: 0, compaction: { generation: 0 } } });
  expect((await undo('again', 3)).body).toEqual(first.body);
});

test('over its trigger an undone thread waits until it has grown, and a retry folds it at once', async () => {
  await api.createThread({ id: 'waits', policy: folding });
  await api.append('waits', ...turns(12));
  await settled(api, 'waits', 1);
  const served = await undo('waits', 1);
  expect(served.body).toMatchObject({ compaction: { state: 'parked', reason: 'undone', generation: 0 } });
  const context = await api.context('waits');
  expect(context).toMatchObject({ summary: null, degraded: false });
  expect(context.tokens.total).toBeGreaterThan(context.budget.trigger);
  // It is nobody's concern, and a short message does not fold it.
  const attention = await api.call<{ concerns: { reason: string | null }[] }>('GET', '/v1/attention');
  expect(attention.body.concerns.map((concern) => concern.reason)).not.toContain('undone');
  await api.append('waits', { role: 'user', content: 'Yes.' });
  expect((await api.thread('waits')).compaction).toMatchObject({ state: 'parked', generation: 0 });
  await api.append('waits', ...turns(1));
  await settled(api, 'waits', 2);

  expect((await undo('waits', 2)).body.compaction.state).toBe('parked');
  expect((await api.call('POST', '/v1/threads/waits/retry')).status).toBe(200);
  await settled(api, 'waits', 3);
});

test('a fold that the context needs to fit its limit is not undone', async () => {
  await api.createThread({ id: 'full', policy: folding });
  for (let i = 0; i < 6; i++) {
    await api.append('full', ...turns(6));
    await settled(api, 'full');
  }
  const { generation } = (await api.thread('full')).compaction;
  // Back to the first one: its messages fit no more.
  const before = await api.summaries('full');
  let refused: Awaited<ReturnType<typeof undo>> | undefined;
  for (let at = generation; !refused;) {
    const answer = await undo('full', at);
    if (answer.status === 200) at = answer.body.compaction.generation;
    else refused = answer;
  }
  expect(refused).toMatchObject({ status: 409, body: { code: 'over_limit' } });
  expect(refused.body.detail).toMatch(/takes \d+ tokens; its limit is 4000\./);
  expect(before.length).toBeGreaterThan(2);
  const context = await api.context('full');
  expect(context.degraded).toBe(false);
  expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
});

import type { Schemas } from '@spillway/client';
import { apiOf, until, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { turns } from '../folding-thread.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

// Trigger 2,400, limit 4,000: a proposal waits up to 3,200 tokens.
const policy = {
  context: { context_window: 8_000, trigger_ratio: 0.3 },
  summary: { max_tokens: 300, apply: 'on_approval' },
};
type Decided = Schemas['DecidedSummary'] & { code: string; detail: string };
const decide = (id: string, generation: number, how: 'approve' | 'reject') =>
  api.call<Decided>('POST', `/v1/threads/${id}/summaries/${generation}/${how}`);

/** Appends until a summary is proposed, and returns its generation. */
async function proposed(id: string): Promise<number> {
  for (let i = 0; i < 30; i++) {
    const { compaction, live_tokens, trigger_tokens } = await api.thread(id);
    if (compaction.prepared?.state === 'proposed') return compaction.prepared.generation;
    if (live_tokens < trigger_tokens || compaction.state === 'parked') await api.append(id, ...turns(1));
    else await until('it is proposed', async () => (await api.thread(id)).compaction.prepared !== undefined);
  }
  throw new Error('nothing was proposed');
}
const inPlace = (id: string, generation: number) =>
  until(`generation ${generation} is in place`, async () => {
    const { compaction } = await api.thread(id);
    return compaction.generation === generation && compaction.state === 'idle';
  });

test('a proposed summary is in no context until it is approved', async () => {
  await api.createThread({ id: 'asked', policy });
  const generation = await proposed('asked');
  const before = await api.context('asked');
  expect(before).toMatchObject({ summary: null, degraded: false });
  const shown = await api.call<Schemas['Summary']>('GET', `/v1/threads/asked/summaries/${generation}`);
  expect(shown.body).toMatchObject({ state: 'proposed', active: false });
  // It waits, also while messages come.
  await api.append('asked', { role: 'user', content: 'Yes.' });
  expect((await api.thread('asked')).compaction).toMatchObject({ generation: 0, prepared: { generation } });

  const approved = await decide('asked', generation, 'approve');
  expect(approved).toMatchObject({ status: 202, body: { generation } });
  await inPlace('asked', generation);
  const [summary] = await api.summaries('asked');
  expect(summary).toMatchObject({ generation, active: true, fields: shown.body.fields });
  expect((await api.context('asked')).summary).toMatchObject({ generation });
  // Again it changes nothing; a rejection comes too late.
  expect((await decide('asked', generation, 'approve')).status).toBe(202);
  expect((await decide('asked', generation, 'reject')).body.code).toBe('summary_not_proposed');
  expect((await decide('asked', 99, 'approve')).status).toBe(404);

  const log = await api.call<{ data: { action: string; actor: string; detail: object }[] }>(
    'GET',
    '/v1/audit?limit=50',
  );
  const entry = log.body.data.find((one) => one.action === 'summary.approved')!;
  expect(entry.actor).toMatch(/^key:/);
  const events = await api.call<{ data: { type: string }[] }>('GET', '/v1/threads/asked/events?limit=100');
  const types = events.body.data.map((event) => event.type);
  expect(types.filter((type) => type.startsWith('summary.'))).toEqual([
    'summary.approved',
    'summary.proposed',
  ]);
});

test('an approval holds although the settings of the project changed since the proposal', async () => {
  await api.createThread({ id: 'priced', policy });
  const generation = await proposed('priced');
  const shown = await api.call<Schemas['Summary']>('GET', `/v1/threads/priced/summaries/${generation}`);
  expect((await api.call('PUT', '/v1/models/gpt-4o-mini', { input_price: 1, output_price: 2 })).status).toBe(
    200,
  );
  expect((await decide('priced', generation, 'approve')).status).toBe(202);
  await until('it is compacted', async () => (await api.thread('priced')).compaction.generation > 0);
  expect(await api.summaries('priced')).toMatchObject([
    { generation, active: true, fields: shown.body.fields },
  ]);
});

test('an approval that is sent again changes nothing, also when a later summary is in place', async () => {
  await api.createThread({ id: 'retried', policy });
  const generation = await proposed('retried');
  await decide('retried', generation, 'approve');
  await inPlace('retried', generation);
  await api.append('retried', ...turns(8));
  const asked = { policy: { context: { min_reclaim_ratio: 0, trigger_ratio: 0.3 } }, wait_ms: 30_000 };
  const compacted = await api.call<{ result: string }>('POST', '/v1/threads/retried/compactions', asked);
  expect(compacted.body.result).toBe('compacted');
  const later = (await api.thread('retried')).compaction.generation;
  expect(later).toBeGreaterThan(generation);
  expect(await decide('retried', generation, 'approve')).toMatchObject({
    status: 202,
    body: { generation, compaction: { generation: later } },
  });
  expect((await decide('retried', generation, 'reject')).body.code).toBe('summary_not_proposed');
});

test('an approved summary can be read at every moment while a worker puts it in place', async () => {
  for (let n = 1; n <= 6; n++) {
    const id = `read-${n}`;
    await api.createThread({ id, policy });
    const generation = await proposed(id);
    let isInPlace = false;
    const found = new Set<string>();
    const read = async () => {
      while (!isInPlace) {
        const one = await api.call('GET', `/v1/threads/${id}/summaries/${generation}`);
        const listed = (await api.summaries(id)).filter((of) => of.generation === generation);
        found.add(`status ${one.status}, listed ${listed.length} times`);
      }
    };
    const readers = Array.from({ length: 8 }, read);
    await decide(id, generation, 'approve');
    await inPlace(id, generation);
    isInPlace = true;
    await Promise.all(readers);
    expect([...found]).toEqual(['status 200, listed 1 times']);
  }
});

test('a rejected one is void, and another is proposed once the thread has grown', async () => {
  await api.createThread({ id: 'no', policy });
  const generation = await proposed('no');
  const rejected = await decide('no', generation, 'reject');
  expect(rejected).toMatchObject({
    status: 200,
    body: { compaction: { state: 'parked', reason: 'declined', generation: 0 } },
  });
  expect(rejected.body.compaction.prepared).toBeUndefined();
  expect((await decide('no', generation, 'approve')).status).toBe(404);
  // A client whose answer was lost asks again.
  expect(await decide('no', generation, 'reject')).toMatchObject({ status: 200, body: rejected.body });
  expect((await decide('no', 99, 'reject')).status).toBe(404);
  await api.append('no', { role: 'user', content: 'Yes.' });
  expect((await api.thread('no')).compaction.state).toBe('parked');
  expect(await proposed('no')).toBe(generation + 1);
  // It leaves the next proposal, and is recorded once.
  expect(await decide('no', generation, 'reject')).toMatchObject({
    status: 200,
    body: { compaction: { prepared: { state: 'proposed', generation: generation + 1 } } },
  });
  const log = await api.call<{ data: { action: string; thread_id: string | null; detail: object }[] }>(
    'GET',
    '/v1/audit?action=summary.rejected&limit=50',
  );
  expect(log.body.data.filter((entry) => entry.thread_id === 'no')).toMatchObject([
    { detail: { generation } },
  ]);
  const events = await api.call<{ data: { type: string }[] }>('GET', '/v1/threads/no/events?limit=100');
  expect(events.body.data.filter(({ type }) => type === 'summary.rejected')).toHaveLength(1);
});

test('a proposal that is rejected many times at once is rejected once', async () => {
  await api.createThread({ id: 'no-at-once', policy });
  const generation = await proposed('no-at-once');
  const all = await Promise.all(Array.from({ length: 8 }, () => decide('no-at-once', generation, 'reject')));
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const events = await api.call<{ data: { type: string }[] }>(
    'GET',
    '/v1/threads/no-at-once/events?limit=100',
  );
  expect(events.body.data.filter(({ type }) => type === 'summary.rejected')).toHaveLength(1);
});

test('near the limit a proposal takes effect without an approval, and no message is left out', async () => {
  await api.createThread({ id: 'near', policy });
  const generation = await proposed('near');
  let grown = await api.thread('near');
  while (grown.live_tokens < (grown.trigger_tokens + 4_000) / 2) {
    expect((await api.thread('near')).compaction.generation).toBe(0);
    await api.append('near', ...turns(1));
    const context = await api.context('near');
    expect(context.degraded).toBe(false);
    expect(context.tokens.total).toBeLessThanOrEqual(context.budget.limit);
    grown = await api.thread('near');
    if (grown.compaction.generation > 0) break;
  }
  await until('it is in place', async () => (await api.thread('near')).compaction.generation >= generation);
  const log = await api.call<{ data: { action: string; actor: string; target: string }[] }>(
    'GET',
    '/v1/audit?limit=50&action=summary.approved',
  );
  expect(log.body.data[0]).toMatchObject({ actor: 'service' });
});

test('a requested compaction is not proposed, and a change of the policy voids a proposal', async () => {
  await api.createThread({ id: 'now', policy });
  const generation = await proposed('now');
  const compacted = await api.call<{ result: string }>('POST', '/v1/threads/now/compactions', {
    policy: { context: { min_reclaim_ratio: 0 } },
    wait_ms: 30_000,
  });
  expect(compacted.body.result).toBe('compacted');
  expect((await api.thread('now')).compaction.prepared).toBeUndefined();
  expect((await decide('now', generation, 'approve')).status).toBe(404);

  await api.createThread({ id: 'void', policy });
  const other = await proposed('void');
  await api.call('PATCH', '/v1/threads/void', { policy: { context: { context_window: 100_000 } } });
  expect((await decide('void', other, 'approve')).status).toBe(404);
  const wrong = await api.call('PATCH', '/v1/threads/void', { policy: { summary: { apply: 'sometimes' } } });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: '/policy/summary/apply' }] } });
});

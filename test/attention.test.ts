import type { Schemas } from '@spillway/client';
import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let stack: Stack;
/** A project of its own for each test. */
let api: Api;
let projects = 0;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '300' } });
});
afterAll(() => stack?.stop());
beforeEach(async () => {
  api = apiOf({ url: stack.url, key: await stack.addProject(`attention-${++projects}`) });
});

describe('what needs attention', () => {
  type Attention = Schemas['Attention'];
  const attention = async () => (await api.call<Attention>('GET', '/v1/attention')).body;
  const parkOne = async (id: string) => {
    const small = { context: { context_window: 8_000 } };
    await api.createThread({ id, system: 'word '.repeat(6_000), policy: small });
    await api.append(id, { role: 'user', content: 'hello' });
    await until(`${id} is parked`, async () => (await api.thread(id)).compaction.state === 'parked');
  };

  test('nothing, when all is well; and the parts that keep it so', async () => {
    await api.append('calm', { role: 'user', content: 'hello' });
    const { concerns, health } = await attention();
    expect(concerns).toEqual([]);
    expect(health).toMatchObject({ status: 'ready', postgres: 'ok', redis: 'ok', workers: 1 });
    expect(health.counts).toEqual({ due: 0, running: 0, backoff: 0, parked: 0 });
  });

  test('a parked thread, with its reason, its id and the page that shows it', async () => {
    await parkOne('stuck');
    const { concerns, health } = await attention();
    expect(concerns[0]).toEqual({
      kind: 'parked',
      severity: 'act',
      reason: 'irreducible',
      count: 1,
      thread_ids: ['stuck'],
      page: '/jobs?tab=parked&reason=irreducible',
    });
    expect(health.counts.parked).toBe(1);
    expect(health.last_attempt_at).not.toBeNull();
  });

  test('parked threads are listed by reason and retried together', async () => {
    await parkOne('a');
    await parkOne('b');
    type Queue = Schemas['Queue'];
    const listed = async (query: string) => (await api.call<Queue>('GET', `/v1/queue${query}`)).body;
    const parked = await listed('?state=parked&reason=irreducible');
    expect(parked.threads.map((thread) => thread.thread_id).sort()).toEqual(['a', 'b']);
    expect(parked.parked_by_reason).toEqual([{ reason: 'irreducible', count: 2 }]);
    expect((await listed('?state=parked&reason=auth')).threads).toEqual([]);
    expect((await listed('?state=running')).threads).toEqual([]);
    const none = await api.call('POST', '/v1/queue/retry', { state: 'parked', reason: 'auth' });
    expect(none).toMatchObject({ status: 200, body: { retried: 0, more: false } });
    const both = await api.call('POST', '/v1/queue/retry', { state: 'parked', reason: 'irreducible' });
    expect(both).toMatchObject({ status: 200, body: { retried: 2, more: false } });
    for (const id of ['a', 'b'])
      await until(`${id} was looked at again`, async () => (await api.compactions(id)).length === 2);
  });

  test('attempts of all threads are listed newest first, page by page, and by how they ended', async () => {
    for (const id of ['x', 'y', 'z']) await parkOne(id);
    type List = Schemas['ProjectCompactionAttemptList'];
    const page = async (query: string) => (await api.call<List>('GET', `/v1/compactions${query}`)).body;
    const all = await page('');
    expect(all.data.map(({ thread_id }) => thread_id)).toEqual(['z', 'y', 'x']);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const next: List = await page(`?limit=1${cursor && `&cursor=${cursor}`}`);
      walked.push(...next.data.map(({ thread_id }) => thread_id));
      cursor = next.next_cursor;
    }
    expect(walked).toEqual(['z', 'y', 'x']);
    expect((await page('?outcome=unsuccessful')).data).toHaveLength(3);
    expect((await page('?outcome=parked')).data[0]).toMatchObject({
      outcome: 'parked',
      reason: 'irreducible',
    });
    expect((await page('?outcome=compacted')).data).toEqual([]);
    expect((await api.call('GET', '/v1/compactions?cursor=cDE')).status).toBe(422);
  });
});

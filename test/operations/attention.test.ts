import type { Schemas } from '@spillway/client';
import { apiOf, rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { everyPage } from '../every-page.js';
import { proposedSummary, turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let stub: StubLlm;
/** A project of its own for each test. */
let api: Api;
let projects = 0;
stackWithModel({ env: { SPILLWAY_POLL_MS: '300' } }, (on) => ({ stub, stack } = on));
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
    await api.createThread({ id: 'calm', model: 'gpt-4o' });
    await api.append('calm', { role: 'user', content: 'hello' });
    // Redis is waited for so long as a page may wait, and on a busy machine it may take longer.
    const { concerns, health } = await until('Redis has answered', async () => {
      const now = await attention();
      return now.health.workers !== null && now;
    });
    expect(concerns).toEqual([]);
    expect(health).toMatchObject({ status: 'ready', postgres: 'ok', redis: 'ok', workers: 1 });
    expect(health.counts).toEqual({ due: 0, proposed: 0, running: 0, backoff: 0, parked: 0 });
  });

  test(
    'F77 a worker that hangs is not counted as connected, and is again once it goes on',
    { tags: 'long' },
    async () => {
      const workers = async () => (await attention()).health.workers;
      await until('it is counted', async () => (await workers()) === 1);
      stack.workers[0]!.pause();
      try {
        // Redis may answer its last question 10 s later, and counts from there.
        await until('it is missed', async () => (await workers()) === 0, 60_000);
      } finally {
        stack.workers[0]!.resume();
      }
      expect(await until('it is back', workers)).toBe(1);
    },
  );

  test('threads whose context window nobody chose, until their models have one', async () => {
    const write = async (id: string, settings: object) => {
      await api.createThread({ id, ...settings });
      await api.append(id, { role: 'user', content: 'hello' });
    };
    await api.createThread({ id: 'unused', model: 'acme-chat-7' });
    await write('known', { model: 'gpt-4' });
    await write('chosen', { model: 'acme-chat-7', policy: { context: { context_window: 8_192 } } });
    expect((await attention()).concerns).toEqual([]);
    await write('unknown', { model: 'acme-chat-7' });
    await write('none', {});
    const found = {
      kind: 'unknown_model',
      severity: 'act',
      reason: 'unknown model acme-chat-7; no model',
      count: 2,
      at_least: false,
      thread_ids: ['none', 'unknown'],
      detail: null,
      page: '/settings/models',
    };
    expect((await attention()).concerns).toEqual([found]);
    await api.call('PUT', '/v1/models/acme-chat-7', { context_window: 64_000 });
    const rest = { ...found, reason: 'no model', count: 1, thread_ids: ['none'] };
    await until('the window of the model is seen', async () => (await attention()).concerns[0]?.count === 1);
    expect((await attention()).concerns).toEqual([rest]);
    // A thread that nobody used for a week is nobody's concern.
    await rowsOf(
      stack.databaseUrl,
      `UPDATE threads t SET updated_at = now() - interval '8 days' FROM projects p
        WHERE p.id = t.project_id AND p.name = $1 RETURNING t.id`,
      [`attention-${projects}`],
    );
    expect((await attention()).concerns).toEqual([]);
    await write('again', {});
    expect((await attention()).concerns).toHaveLength(1);
    await api.call('PUT', '/v1/policy', { context: { context_window: 32_000 } });
    await until('the window of the project is seen', async () => (await attention()).concerns.length === 0);
  });

  test('a thread that can serve no context, with the numbers, and a window that repairs it', async () => {
    await parkOne('stuck');
    const { concerns, health } = await attention();
    const refused = await api.call<Schemas['Problem']>('GET', '/v1/threads/stuck/context');
    expect(refused).toMatchObject({ status: 422, body: { code: 'budget_too_small' } });
    expect(refused.body.errors).toBeUndefined();
    const fixed = Number(/(\d+) would be enough/.exec(refused.body.detail)![1]);
    const { detail } = (await api.thread('stuck')).compaction;
    expect(detail).toMatchObject({ fixed_tokens: fixed, serves_context: false });
    expect(detail!.limit_tokens).toBeLessThan(fixed);
    expect(concerns).toEqual([
      {
        kind: 'context_refused',
        severity: 'act',
        reason: 'irreducible',
        count: 1,
        at_least: false,
        thread_ids: ['stuck'],
        detail,
        page: '/jobs?tab=parked&reason=irreducible',
      },
    ]);
    expect(health.counts.parked).toBe(1);
    expect(health.last_attempt_at).not.toBeNull();
    const policy = { context: { context_window: detail!.smallest_window } };
    const changed = await api.call<Schemas['Thread']>('PATCH', '/v1/threads/stuck', { policy });
    expect(changed.body.trigger_tokens).toBeGreaterThan(fixed);
    await api.call('POST', '/v1/threads/stuck/retry');
    await until(
      'it is no longer parked',
      async () => (await api.thread('stuck')).compaction.state === 'idle',
    );
    expect((await api.context('stuck')).tokens.total).toBeLessThan(changed.body.trigger_tokens);
    expect((await attention()).concerns).toEqual([]);
  });

  test('a thread that still serves a context is parked and no more', async () => {
    // More than the trigger and less than the limit: a context fits, but nothing can be summarized away.
    const policy = { context: { context_window: 8_000, response_reserve: 500, trigger_ratio: 0.3 } };
    await api.createThread({ id: 'tight', system: 'word '.repeat(4_000), policy });
    await api.append('tight', { role: 'user', content: 'hello' });
    await until('it is parked', async () => (await api.thread('tight')).compaction.state === 'parked');
    expect((await api.thread('tight')).compaction.detail).toMatchObject({ serves_context: true });
    expect((await attention()).concerns).toMatchObject([{ kind: 'parked', reason: 'irreducible', count: 1 }]);
  });

  test('a thread that can serve no context is found behind those that can', async () => {
    const limits = { context: { context_window: 8_000 } };
    for (let i = 0; i < 5; i++) {
      await api.createThread({ id: `serves-${i}`, policy: limits });
      await api.append(`serves-${i}`, ...turns(1));
    }
    // Over the limit, as one is whose large messages are shortened in its context.
    await rowsOf(
      stack.databaseUrl,
      `UPDATE threads t SET park_reason = 'irreducible', needs_compaction = true, live_tokens = limit_tokens + 1,
          parked_tokens = limit_tokens + 1, requested_at = now() - interval '1 day'
        FROM projects p WHERE p.id = t.project_id AND p.name = $1 RETURNING t.id`,
      [`attention-${projects}`],
    );
    await parkOne('stuck');
    const { concerns } = await attention();
    expect(concerns).toMatchObject([
      { kind: 'context_refused', count: 1, at_least: false, thread_ids: ['stuck'] },
      { kind: 'parked', count: 5, at_least: false },
    ]);
    expect(concerns[1]!.thread_ids).toHaveLength(5);
  });

  test('of threads that can serve no context only those that were checked are counted', async () => {
    const ids = Array.from({ length: 22 }, (_, i) => `stuck-${i}`);
    await Promise.all(ids.map(parkOne));
    const { concerns } = await attention();
    expect(concerns).toMatchObject([
      { kind: 'context_refused', count: 20, at_least: true },
      { kind: 'parked', reason: 'irreducible', count: 2, at_least: false },
    ]);
    expect(concerns.map(({ thread_ids: named }) => named.length)).toEqual([5, 0]);
  });

  test('a summary model that fails comes first, from its first failure on, until it answers', async () => {
    stub.answer = () => ({ status: 500 });
    const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
    await api.createThread({ id: 'waits', policy });
    await api.append('waits', ...turns(20));
    const { concerns, health } = await until('the outage shows', async () => {
      const now = await attention();
      return now.concerns[0]?.kind === 'model_failing' && now.health.model!.waiting > 0 && now;
    });
    expect(concerns[0]).toMatchObject({ severity: 'act', reason: health.model!.last_error });
    expect(concerns[0]!.count).toBe(health.model!.failures);
    expect(health.model).toMatchObject({ state: 'failing', last_ok_at: null });
    expect(health.model!.last_error).toMatch(/500/);
    expect(health.model!.failing_since).not.toBeNull();
    const system = await api.call<Schemas['System']>('GET', '/v1/system');
    expect(system.body.model!.health).toMatchObject({ state: 'failing' });
    expect(system.body.model!.health.last_error).toMatch(/500/);
    stub.answer = stub.plain;
    await api.call('POST', '/v1/threads/waits/retry');
    // The thread itself is a concern until what the model answered is in place.
    await until('its summary is active', async () => (await api.thread('waits')).compaction.generation === 1);
    const after = await attention();
    expect(after.health.model).toMatchObject({ state: 'ok' });
    expect(after.concerns).toEqual([]);
  });

  test('a summary model that fails names the threads that wait for it, and none whose own content fails', async () => {
    // One thread gets answers that are no summary; the provider fails for the other one.
    stub.answer = (call) =>
      JSON.stringify(call.body).includes('garbled') ? { content: 'No.' } : { status: 500 };
    const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };
    for (const id of ['garbled', 'plain']) {
      await api.createThread({ id, policy });
      await api.append(id, ...turns(20, { topic: id }));
      await until(`${id} is in back-off`, async () => (await api.thread(id)).compaction.state === 'backoff');
    }
    const stay = `UPDATE threads t SET next_attempt_at = now() + interval '1 hour' FROM projects p
        WHERE p.id = t.project_id AND p.name = $1 AND t.needs_compaction RETURNING t.id`;
    // An attempt that runs meanwhile writes its own back-off over the hour when it ends.
    const { concerns, health } = await until('both stay in back-off', async () => {
      await rowsOf(stack.databaseUrl, stay, [`attention-${projects}`]);
      const seen = await attention();
      return seen.health.counts.backoff === 2 ? seen : undefined;
    });
    expect(concerns.find(({ kind }) => kind === 'model_failing')).toMatchObject({ thread_ids: ['plain'] });
    expect(health.model).toMatchObject({ state: 'failing', waiting: 1 });
  });

  test('a summary that waits for an approval, and no thread that waits for a worker', async () => {
    const policy = {
      context: { context_window: 8_000, trigger_ratio: 0.3 },
      summary: { max_tokens: 300, apply: 'on_approval' },
    };
    await api.createThread({ id: 'asks', policy });
    await proposedSummary(api, 'asks');
    // Nobody looked for longer than an integer has milliseconds.
    await rowsOf(
      stack.databaseUrl,
      `UPDATE threads SET requested_at = now() - interval '40 days' WHERE id = 'asks'`,
    );
    const { concerns, health } = await attention();
    expect(concerns).toEqual([
      {
        kind: 'summary_proposed',
        severity: 'act',
        reason: null,
        count: 1,
        at_least: false,
        thread_ids: ['asks'],
        detail: null,
        page: '/jobs?tab=proposed',
      },
    ]);
    expect(health).toMatchObject({ oldest_due_ms: null, counts: { due: 0, proposed: 1 } });
    const queue = async (state: string) =>
      (await api.call<Schemas['Queue']>('GET', `/v1/queue?state=${state}`)).body;
    expect((await queue('due')).threads).toEqual([]);
    const { threads, counts, oldest_due_ms } = await queue('proposed');
    expect({ counts, oldest_due_ms }).toMatchObject({ counts: { due: 0, proposed: 1 }, oldest_due_ms: null });
    expect(threads).toMatchObject([{ thread_id: 'asks', compaction: { prepared: { state: 'proposed' } } }]);
  });

  test('the bytes of stored outputs beside those that a project may keep', async () => {
    await api.call('PUT', '/v1/policy', { outputs: { max_bytes: 90_000 } });
    const content = Array.from({ length: 2_000 }, (_, i) => `${i} of the lines of a log`).join('\n');
    await api.append('stores', { role: 'user', content: 'run it' }, ...toolRun('c1', content));
    const { health } = await attention();
    expect(health.storage).toEqual({ output_bytes: content.length, max_bytes: 90_000 });
  });

  test('a webhook whose deliveries fail for ten minutes', async () => {
    const url = 'https://receiver.example/hook';
    const hook = await api.call<{ id: string }>('POST', '/v1/webhooks', { url });
    const failingFor = (minutes: number) =>
      rowsOf(
        stack.databaseUrl,
        `UPDATE webhooks SET failing_since = now() - $2::int * interval '1 min' WHERE id = $1`,
        [hook.body.id, minutes],
      );
    await failingFor(9);
    expect((await attention()).concerns).toEqual([]);
    await failingFor(11);
    expect((await attention()).concerns).toMatchObject([
      { kind: 'webhook_failing', severity: 'watch', reason: null, count: 1, page: '/settings/webhooks' },
    ]);
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
    const walked = (await everyPage<List>(api, '/v1/compactions?limit=1')).flatMap(({ data }) => data);
    expect(walked.map(({ thread_id }) => thread_id)).toEqual(['z', 'y', 'x']);
    expect((await page('?outcome=unsuccessful')).data).toHaveLength(3);
    expect((await page('?outcome=parked')).data[0]).toMatchObject({
      outcome: 'parked',
      reason: 'irreducible',
    });
    expect((await page('?outcome=compacted')).data).toEqual([]);
    expect((await api.call('GET', '/v1/compactions?cursor=cDE')).status).toBe(422);
  });
});

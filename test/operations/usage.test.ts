import { randomUUID } from 'node:crypto';
import type { Schemas } from '@spillway/client';
import { policyInput } from '@spillway/contracts';
import { openRuntime, readEnv, writeUsage } from '@spillway/service';
import { apiOf, rowsOf, until, type Api, type Stack, type StubLlm } from '@spillway/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { settled, turns } from '../folding-thread.js';
import { stackWithModel } from '../stack-with-model.js';
import { toolCall, toolResult } from '../tool-calls.js';

type Usage = Schemas['Usage'];

let stub: StubLlm;
let stack: Stack;
/** A project of its own for each test: usage is a project's. */
let api: Api;
let projects = 0;
stackWithModel({ env: { SPILLWAY_POLL_MS: '300' } }, (on) => ({ stub, stack } = on));
beforeEach(async () => {
  api = apiOf({ url: stack.url, key: await stack.addProject(`usage-${++projects}`) });
});

const readUsage = async (query = ''): Promise<Usage> =>
  (await api.call<Usage>('GET', `/v1/usage${query}`)).body;
const counted = (what: string, is: (totals: Usage['totals']) => boolean): Promise<Usage> =>
  until(what, async () => {
    const usage = await readUsage();
    return is(usage.totals) && usage;
  });
const policy = { context: { context_window: 8_000, trigger_ratio: 0.3 } };

describe('what was recorded and served', () => {
  test('a context without summary and stubs saves nothing: what is sent is the full history', async () => {
    await api.createThread({ id: 'short', model: 'gpt-4o', system: 'Be kind.', tools: [{ name: 'sh' }] });
    await api.append('short', { role: 'system', content: 'Be brief.' }, ...turns(4, { topic: 'apples' }));
    const contexts = [await api.context('short'), await api.context('short', '?format=anthropic')];
    const { totals, series } = await counted('both contexts are counted', (t) => t.contexts === 2);
    const sent = contexts.reduce((sum, context) => sum + context.tokens.total, 0);
    expect(totals).toMatchObject({
      messages: 5,
      tokens_recorded: (await api.thread('short')).total_tokens,
      tokens_sent: sent,
      tokens_full: sent,
      tokens_saved: 0,
      contexts_degraded: 0,
      contexts_over_window: 0,
    });
    expect(series.reduce((sum, bucket) => sum + bucket.tokens_sent, 0)).toBe(sent);
  });

  test('a thread whose only large message is cut has saved nothing, before a summary or a stub does', async () => {
    const id = 'pasted';
    await api.createThread({ id, policy: { context: { context_window: 8_000, trigger_ratio: 0.8 } } });
    await api.append(id, { role: 'user', content: 'A line of a pasted file.\n'.repeat(400) });
    const pasted = await api.thread(id);
    expect(pasted.total_tokens).toBeGreaterThan(pasted.limit_tokens / 2);
    expect(pasted).toMatchObject({ saved_tokens: 0, output_count: 0 });
    const { body } = await api.call<Schemas['ThreadList']>('GET', `/v1/threads?q=${id}`);
    expect(body.data.map(({ saved_tokens: saved }) => saved)).toEqual([0]);
    const call = { id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } };
    await api.append(id, { role: 'assistant', content: null, tool_calls: [call] });
    await api.append(id, { role: 'tool', tool_call_id: 'c', content: 'a line of a log\n'.repeat(2_000) });
    const { total_tokens: total, live_tokens: live, saved_tokens: saved } = await api.thread(id);
    expect(saved).toBe(total - live);
    expect(saved).toBeGreaterThan(0);
  });

  test('after a compaction and an offload, saved is the full history, up to the window, less what was sent', async () => {
    await api.createThread({ id: 'long', policy, system: 'Be kind.' });
    await api.append('long', { role: 'user', content: 'Go.' });
    await api.append('long', toolCall('c'));
    await api.append('long', toolResult('c', 'a line of a log\n'.repeat(2_000)));
    await api.append('long', ...turns(20, { topic: 'pears' }));
    await settled(api, 'long', 1);
    const context = await api.context('long');
    const thread = await api.thread('long');
    const { totals } = await counted('the context is counted', (t) => t.contexts === 1);
    // System prompt and the frame of a conversation are sent in both cases.
    const beside = 3 + 4 + 3;
    expect(totals.tokens_sent).toBe(context.tokens.total);
    // No model would have been sent more than its window.
    expect(thread.total_tokens + context.tokens.system).toBeGreaterThan(thread.context_window);
    expect(totals.tokens_full).toBe(thread.context_window);
    expect(context.tokens.system).toBe(beside);
    expect(totals.tokens_saved).toBe(totals.tokens_full - totals.tokens_sent);
    expect(totals).toMatchObject({ messages: 23, tokens_recorded: thread.total_tokens });
    expect(totals.contexts_over_window).toBe(1);
    expect(totals.outputs).toEqual({ count: 1, bytes: 32_000 });
  });

  test('a message sent again is not counted twice', async () => {
    const message = { id: 'one', role: 'user', content: 'Hello.' };
    await api.append('again', message);
    await api.append('again', message);
    await api.append('again', message, { id: 'two', role: 'assistant', content: 'Hi.' });
    const { totals } = await counted('the second is counted', (t) => t.messages >= 2);
    expect(totals.messages).toBe(2);
    expect(totals.tokens_recorded).toBe((await api.thread('again')).total_tokens);
  });

  test('a context that leaves messages out is counted as degraded; the past is not counted', async () => {
    await api.createThread({ id: 'tight', policy: { ...policy, summary: { enabled: false } } });
    await api.append('tight', ...turns(60, { topic: 'plums' }));
    expect((await api.context('tight')).degraded).toBe(true);
    await api.context('tight', '?at=2');
    await api.append('tight', { role: 'user', content: 'later' });
    const { totals } = await counted('all is counted', (t) => t.messages === 61 && t.contexts > 0);
    expect(totals).toMatchObject({ contexts: 1, contexts_degraded: 1 });
  });

  test('what a person looks at in the console is not counted as sent to a model', async () => {
    await api.append('seen', { role: 'user', content: 'Hello.' });
    const session = await api.call<{ token: string }>('POST', '/v1/sessions', {});
    const authorization = `Bearer ${session.body.token}`;
    const shown = await api.call('GET', '/v1/threads/seen/context', undefined, { authorization });
    expect(shown.status).toBe(200);
    await api.context('seen');
    const { totals } = await counted('a context is counted', (t) => t.contexts > 0);
    expect(totals.contexts).toBe(1);
  });

  test('what was counted just before the API stops is written while it stops', async () => {
    const own = await stack.startApi();
    const there = apiOf({ url: own.url, key: stack.key });
    await there.append('stopping', { role: 'user', content: 'Last words.' });
    expect(await own.stop()).toBe(0);
    const [{ messages }] = (await rowsOf<{ messages: string }>(
      stack.databaseUrl,
      `SELECT sum(messages) AS messages FROM usage_hours
       WHERE project_id = (SELECT project_id FROM threads WHERE id = 'stopping')`,
    )) as [{ messages: string }];
    expect(Number(messages)).toBe(1);
  });

  test('numbers that Postgres refuses are dropped, and hold up nothing that is counted after them', async () => {
    const [project] = await rowsOf<{ id: string }>(
      stack.databaseUrl,
      'SELECT id FROM projects WHERE name = $1',
      [`usage-${projects}`],
    );
    const env = { DATABASE_URL: stack.databaseUrl, LOG_LEVEL: 'silent' };
    const rt = openRuntime(readEnv(env, policyInput), 'api');
    try {
      const usage = { inputTokens: 1, outputTokens: 0, cachedInputTokens: 0 };
      rt.usage.chatted({ projectId: project!.id, keyId: randomUUID() }, 'm', usage, 1.8e10);
      expect(await writeUsage(rt)).toBe(true);
      rt.usage.recorded(project!.id, 'm', 2, 30);
      expect(await writeUsage(rt)).toBe(true);
    } finally {
      await rt.close();
    }
    expect((await readUsage()).totals.messages).toBe(2);
  });
});

describe('what summaries cost', () => {
  const spent = {
    prompt_tokens: 1_000,
    completion_tokens: 100,
    prompt_tokens_details: { cached_tokens: 400 },
  };

  test('an attempt says what its model took, without a price no cost, and which rules it was given', async () => {
    stub.answer = (call) => ({ ...stub.plain(call), usage: spent });
    await api.createThread({ id: 'unpriced', policy });
    await api.append('unpriced', ...turns(20, { topic: 'apples' }));
    await settled(api, 'unpriced', 1);
    const used = {
      input_tokens: 1_000,
      output_tokens: 100,
      cached_input_tokens: 400,
      cost_usd: null,
      prompt_version: '3',
    };
    const [attempt] = await until('what it took is written down', async () => {
      const attempts = await api.compactions('unpriced');
      return attempts[0]?.input_tokens != null && attempts;
    });
    expect(attempt).toMatchObject(used);
    expect((await api.summaries('unpriced'))[0]).toMatchObject(used);
    expect((await readUsage()).totals.llm).toEqual({
      attempts: 1,
      input_tokens: 1_000,
      output_tokens: 100,
      cached_input_tokens: 400,
      cost_usd: null,
      unpriced_attempts: 1,
    });
  });

  test('all parts of one summary are added up, at the price that was set', async () => {
    const prices = { input_price: 2, output_price: 10, cached_input_price: 0.5 };
    const set = await api.call('PUT', '/v1/models/of-unknown-size', { context_window: 8_192, ...prices });
    expect(set).toMatchObject({ status: 200, body: { ...prices, source: 'override' } });
    stub.answer = (call) => ({ ...stub.plain(call), usage: spent });
    const own = { model: 'of-unknown-size', prompt: 'Only facts.' };
    await api.createThread({ id: 'parts', policy: { ...policy, summary: own } });
    await api.append('parts', ...turns(40, { topic: 'plums' }));
    await settled(api, 'parts', 1);
    const parts = stub.calls.length;
    expect(parts).toBeGreaterThan(1);
    const [attempt] = await until('what it took is written down', async () => {
      const attempts = (await api.compactions('parts')).filter((one) => one.cost_usd !== null);
      return attempts.length > 0 && attempts;
    });
    expect(attempt!.input_tokens).toBe(1_000 * parts);
    expect(attempt!.output_tokens).toBe(100 * parts);
    expect(attempt!.cost_usd).toBeCloseTo((parts * (600 * 2 + 400 * 0.5 + 100 * 10)) / 1e6, 10);
    expect(attempt!.prompt_version).toMatch(/^custom-[0-9a-f]{8}$/);
  });

  test('an attempt that failed has spent as well', async () => {
    stub.answer = () => ({ content: 'I would rather not.', usage: spent });
    await api.createThread({ id: 'vain', policy });
    await api.append('vain', ...turns(20, { topic: 'figs' }));
    const failed = await until('an attempt failed and says what it took', async () =>
      (await api.compactions('vain')).find((one) => one.outcome === 'failed' && one.input_tokens !== null),
    );
    expect(failed).toMatchObject({ reason: 'invalid_answer', input_tokens: 1_000 });
    const { totals } = await readUsage();
    expect(totals.compactions.failed).toBeGreaterThan(0);
    expect(totals.compactions.failed_by_reason.invalid_answer).toBeGreaterThan(0);
  });

  test('money saved is what was not sent at the price of the thread’s model, less what summaries cost', async () => {
    await api.call('PUT', '/v1/models/gpt-4o', {
      input_price: 2.5,
      output_price: 10,
      cached_input_price: 1.25,
    });
    await api.call('PUT', '/v1/models/gpt-4o-mini', { input_price: 1_000, output_price: 1_000 });
    stub.answer = (call) => ({ ...stub.plain(call), usage: { prompt_tokens: 10, completion_tokens: 10 } });
    await api.createThread({ id: 'paid', model: 'gpt-4o-2024-08-06', policy });
    await api.append('paid', ...turns(20, { topic: 'dates' }));
    await settled(api, 'paid', 1);
    const context = await api.context('paid');
    const { total_tokens: full } = await api.thread('paid');
    const usage = await counted('context and cost are counted', (t) => t.contexts > 0 && t.llm.attempts > 0);
    const notSent = full + 3 - context.tokens.total;
    expect(usage.totals.tokens_saved).toBe(notSent);
    const cost = (20 * 1_000 * usage.totals.llm.attempts) / 1e6;
    expect(usage.money.models).toEqual([
      {
        model: 'gpt-4o-2024-08-06',
        tokens_not_sent: notSent,
        input_price: 2.5,
        saved_usd: (notSent * 2.5) / 1e6,
        spent_usd: expect.closeTo(cost, 10) as number,
        net_usd: expect.closeTo((notSent * 2.5) / 1e6 - cost, 10) as number,
      },
    ]);
    expect(usage.money.unpriced_models).toEqual([]);
    expect(usage.money.spent_usd).toBeCloseTo(cost, 10);
    expect(usage.money.net_usd).toBeCloseTo((notSent * 2.5) / 1e6 - cost, 10);
    expect(usage.money.net_if_cached_usd).toBeCloseTo((notSent * 1.25) / 1e6 - cost, 10);
  });

  test('no price is invented, and a window may be left out for a model that is known', async () => {
    type Models = { data: Schemas['Model'][] };
    const { body } = await api.call<Models>('GET', '/v1/models');
    expect(body.data.every((model) => model.input_price === null && model.output_price === null)).toBe(true);
    const known = await api.call('PUT', '/v1/models/gpt-4o', { input_price: 0, output_price: 1 });
    expect(known).toMatchObject({ status: 200, body: { context_window: 128_000, source: 'registry' } });
    const unknown = await api.call('PUT', '/v1/models/nobody-knows-it', { input_price: 1 });
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ path: '/context_window' }] } });
    for (const bad of [{}, { input_price: -1 }, { input_price: '1' }, { price: 1 }])
      expect((await api.call('PUT', '/v1/models/gpt-4o', bad)).status).toBe(422);
  });
});

describe('the range', () => {
  test('every bucket is there, and what did not happen is nothing', async () => {
    const usage = await readUsage('?from=2026-01-01T10:20:00Z&to=2026-01-02T00:30:00Z');
    expect([usage.from, usage.to]).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-02T01:00:00.000Z']);
    expect(usage.series).toHaveLength(15);
    expect(usage.series.every((bucket) => bucket.messages === 0 && bucket.compactions.ok === 0)).toBe(true);
    const days = await readUsage('?from=2026-01-01T10:20:00Z&to=2026-01-03T00:00:00Z&bucket=day');
    expect(days.series.map(({ at }) => at.slice(0, 10))).toEqual(['2026-01-01', '2026-01-02']);
  });

  test.each([
    ['that is empty', '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
    ['of no length', '?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'],
    ['of too many buckets', '?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'],
    ['of years before and after all time', '?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z&bucket=day'],
    ['that is no time', '?from=yesterday'],
    ['of another bucket', '?bucket=minute'],
  ])('one %s is refused', async (_, query) => {
    expect(await api.call('GET', `/v1/usage${query}`)).toMatchObject({
      status: 422,
      body: { code: 'invalid_request' },
    });
  });
});

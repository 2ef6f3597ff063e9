import { readFile } from 'node:fs/promises';
import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOf, toolResult } from '../tool-calls.js';
import { added, operatorHeader, operatorPassword, scrape, small, talk, type Scrape } from './scrape.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const ofApi = () => scrape(stack.url);
const ofWorker = () => scrape(stack.workers[0]!.url);

describe('the metrics of the API', () => {
  test('count messages and appends by exactly what was recorded, and a repeated append not at all', async () => {
    const three = [1, 2, 3].map((n) => ({ role: 'user', content: `message ${n}`, id: `m${n}` }));
    const first = await added(ofApi, () => api.append('counted', ...three));
    expect(first('spillway_messages_recorded_total')).toBe(3);
    expect(first('spillway_appends_total')).toBe(1);
    const tokens = (await api.thread('counted')).live_tokens;
    expect(first('spillway_recorded_tokens_total')).toBeGreaterThan(0);
    expect(first('spillway_recorded_tokens_total')).toBeLessThanOrEqual(tokens);
    const route = { route: '/v1/threads/{id}/messages', method: 'POST' };
    expect(first('spillway_http_request_duration_seconds_count', { ...route, status: '2xx' })).toBe(1);
    const again = await added(ofApi, () => api.append('counted', ...three));
    expect(again('spillway_messages_recorded_total')).toBe(0);
    expect(again('spillway_appends_total')).toBe(0);
    expect(again('spillway_http_request_duration_seconds_count', route)).toBe(1);
  });

  test('count contexts that are served, with their tokens, and those that leave messages out', async () => {
    await api.createThread({ id: 'full', policy: { ...small, summary: { enabled: false } } });
    await api.append('full', talk[0]!);
    let context = await api.context('full');
    const whole = await added(ofApi, async () => (context = await api.context('full')));
    expect(whole('spillway_contexts_served_total')).toBe(1);
    expect(whole('spillway_contexts_degraded_total')).toBe(0);
    expect(whole('spillway_context_tokens_total', { kind: 'sent' })).toBe(context.tokens.total);
    await api.append('full', ...talk, ...talk);
    const degraded = await added(ofApi, async () => (context = await api.context('full')));
    expect(context.degraded).toBe(true);
    expect(degraded('spillway_contexts_degraded_total')).toBe(1);
    expect(degraded('spillway_context_tokens_total', { kind: 'not_sent' })).toBeGreaterThan(0);
  });

  test('count the bytes of outputs that are offloaded', async () => {
    const result = 'line of a build log\n'.repeat(8_000);
    const offloaded = await added(ofApi, () =>
      api.append(
        'outputs',
        { role: 'assistant', content: null, tool_calls: [call('c1')] },
        toolResult('c1', result),
      ),
    );
    expect(offloaded('spillway_outputs_offloaded_total')).toBe(1);
    expect(offloaded('spillway_outputs_offloaded_bytes_total')).toBe(result.length);
  });

  test('count an answered request by its status, and know what is in flight', async () => {
    const route = { route: '/v1/threads/{id}', method: 'GET' };
    const missing = await added(ofApi, () => api.call('GET', '/v1/threads/nowhere'));
    expect(missing('spillway_http_request_duration_seconds_count', { ...route, status: '4xx' })).toBe(1);
    // The scrape itself.
    expect((await ofApi()).value('spillway_http_requests_in_flight')).toBe(1);
  });

  test('do not grow with ids, routes, methods or models that clients make up', async () => {
    const seriesOf = async () =>
      (await ofApi()).samples.filter(({ name }) => name.startsWith('spillway_')).length;
    const visit = async (i: number) => {
      await Promise.all([
        api.call('GET', `/v1/threads/thread-${i}`),
        api.call('GET', `/v1/outputs/out_${i}`),
        api.call('GET', `/nowhere/${i}`),
        api.call('OPTIONS', `/v1/random-${i}`),
        api.call('POST', '/v1/threads', { id: `made-${i}`, model: `model-${i}` }),
      ]);
    };
    await visit(0);
    const before = await seriesOf();
    for (let i = 1; i <= 200; i++) await visit(i);
    expect(await seriesOf()).toBe(before);
    const routes = (await ofApi()).samples.map(({ labels }) => labels.route);
    expect(routes).toContain('unmatched');
    expect(routes.join()).not.toMatch(/nowhere|thread-1|random/);
  });

  test('know their pool, their build and their process', async () => {
    const now = await ofApi();
    expect(now.value('spillway_postgres_up')).toBe(1);
    expect(now.value('spillway_redis_up')).toBe(1);
    expect(now.value('spillway_postgres_pool_max_connections')).toBe(8);
    expect(now.value('spillway_postgres_pool_connections')).toBeGreaterThan(0);
    expect(now.value('spillway_build_info', { process: 'api' })).toBe(1);
    expect(now.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  test('take less than 20 ms of CPU to answer, with the counts of many appends', async () => {
    const texts = Array.from({ length: 80 }, (_, i) => `one of many ${i}`);
    await Promise.all(texts.map((content, i) => api.append(`load-${i % 8}`, { role: 'user', content })));
    const before = await ofApi();
    const scrapes = 20;
    for (let i = 1; i < scrapes; i++) await ofApi();
    const after = await ofApi();
    const seconds = after.value('process_cpu_seconds_total')! - before.value('process_cpu_seconds_total')!;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds / scrapes).toBeLessThan(0.02);
  });

  test('are those of docs/operations/metrics.md, with their types and values of labels', async () => {
    const page = await readFile(new URL('../../docs/operations/metrics.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `(spillway_\w+)` +\| (\w+) +\| (.*?) +\|/gm)];
    for (const look of [ofApi, ofWorker]) {
      const { types, samples } = await look();
      const own = [...types].filter(([name]) => name.startsWith('spillway_'));
      expect(own.sort()).toEqual(documented.map(([, name, type]) => [name, type]).sort());
      for (const { name, labels } of samples) {
        const row = documented.find(([, known]) => name.replace(/_(bucket|sum|count)$/, '') === known);
        for (const label of Object.keys(labels))
          if (row && label !== 'le') expect(row[3], name).toContain(`\`${label}\`:`);
      }
    }
  });

  test('open with the operator’s password alone, on the API and on the worker', async () => {
    for (const { url } of [stack.api, stack.workers[0]!]) {
      for (const headers of [
        {},
        operatorHeader(stack.key),
        operatorHeader(`${operatorPassword}x`),
        { authorization: `Bearer ${stack.key}` },
      ]) {
        const refused = await fetch(`${url}/metrics`, { headers });
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
          401,
          expect.stringMatching(/^Basic/) as string,
        ]);
        expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        const text = await refused.text();
        expect(text).not.toContain('spillway_');
        expect(JSON.parse(text)).toMatchObject({
          code: 'unauthorized',
          request_id: refused.headers.get('x-request-id'),
        });
      }
      const opened = await fetch(`${url}/metrics`, { headers: operatorHeader(operatorPassword) });
      expect(opened.status).toBe(200);
      expect(opened.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(opened.headers.get('x-request-id')).toBeTruthy();
    }
  });

  test('stand beside health, which names its requests too; a worker has no other page', async () => {
    const { url } = stack.workers[0]!;
    for (const path of ['/healthz', '/readyz'])
      expect((await fetch(url + path)).headers.get('x-request-id')).toBeTruthy();
    const answer = await fetch(`${url}/v1/threads`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await answer.json()).toMatchObject({
      status: 404,
      code: 'not_found',
      request_id: answer.headers.get('x-request-id'),
    });
  });
});

const call = (id: string) => callOf(id, 'build');

test(
  'while Postgres is away a scrape answers with what the process knows, and says so',
  { tags: 'long' },
  async () => {
    const own = await startStack({
      ownPostgres: true,
      redis: false,
      env: { SPILLWAY_OPERATOR_PASSWORD: operatorPassword },
    });
    try {
      await apiOf(own).append('before', { role: 'user', content: 'hello' });
      const healthy = await scrape(own.url);
      expect(healthy.value('spillway_postgres_up')).toBe(1);
      expect(healthy.value('spillway_threads', { state: 'due' })).toBe(0);
      // Where no Redis is configured none is missed.
      expect(healthy.value('spillway_redis_up')).toBeUndefined();
      await own.postgres!.down('kill');
      for (const { url } of [own.api, own.workers[0]!]) {
        let now!: Scrape;
        await until('the scrape notices', async () => {
          now = await scrape(url);
          return now.value('spillway_postgres_up') === 0;
        });
        expect(now.value('spillway_threads')).toBeUndefined();
        expect(now.value('spillway_oldest_due_seconds')).toBeUndefined();
        if (url === own.url) expect(now.value('spillway_messages_recorded_total')).toBe(1);
      }
    } finally {
      await own.stop();
    }
  },
);

test('without an operator’s password there are no metrics', { tags: 'long' }, async () => {
  const closed = await startStack({ redis: false });
  try {
    for (const { url } of [closed.api, closed.workers[0]!])
      expect((await fetch(`${url}/metrics`, { headers: operatorHeader('') })).status).toBe(404);
    for (const page of ['metrics', 'queues']) {
      const refused = (await (await fetch(`${closed.api.url}/${page}`)).json()) as { detail: string };
      expect(refused.detail).toContain('once SPILLWAY_OPERATOR_PASSWORD is set');
    }
  } finally {
    await closed.stop();
  }
});

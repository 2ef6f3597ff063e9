import type { Schemas } from '@spillway/client';
import { routes } from '@spillway/contracts';
import { apiOf, rowsOf, type Api } from '@spillway/testing';
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';
import { everyPage } from '../every-page.js';
import { refusalIn } from '../refusal-in.js';

let api: Api;
beforeAll(async () => {
  const stack = await borrowedStack('api');
  api = apiOf({ url: stack.url, key: await stack.addProject(`lists-${randomUUID()}`) });
  await api.createThread({ id: 'thread' });
  for (let i = 0; i < 4; i++) {
    await api.call('POST', '/v1/keys', { name: `key ${i}`, scopes: ['context:read'] });
    await api.call('POST', '/v1/webhooks', { url: `https://example.com/${i}` });
    await api.call('POST', '/v1/threads/thread/tokens', { scopes: ['context:read'] });
  }
  for (const provider of ['openai', 'anthropic'])
    expect((await api.call('PUT', `/v1/upstreams/${provider}`, {})).status).toBe(200);
});

const params: Record<string, string> = {
  id: 'thread',
  generation: '1',
  seq: '1',
  name: 'search_history',
  model: 'gpt-4o',
  delivery_id: randomUUID(),
  instruction_id: 'none',
};
const idsOf: [RegExp, string][] = [
  [/^\/v1\/outputs/, `out_${'0'.repeat(32)}`],
  [/^\/v1\/webhooks/, randomUUID()],
];
const reads = Object.entries(routes)
  .filter(([key, { scope }]) => key.startsWith('GET /') && !['open', 'operator'].includes(scope))
  .map(([key]) => key.slice('GET '.length));

test.each(reads)('GET %s refuses a parameter that it does not know, by name', async (template) => {
  const id = idsOf.find(([of]) => of.test(template))?.[1] ?? params.id!;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? id : params[name]!));
  const { status, body } = await api.call('GET', `${path}?surprise=1`);
  const { code, errors } = refusalIn(body);
  expect({ status, code }).toEqual({ status: 422, code: 'invalid_request' });
  expect(errors).toContainEqual({ path: '/surprise', message: 'is not a known field' });
});

interface List {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

const lists = ['/v1/keys', '/v1/models', '/v1/webhooks', '/v1/upstreams', '/v1/threads/thread/tokens'];

test.each(lists)('%s comes in one page, or in pages of the size that is asked for', async (path) => {
  const all = (await api.call<List>('GET', path)).body;
  expect(all.next_cursor).toBeNull();
  expect(all.data.length).toBeGreaterThan(1);
  for (const limit of [1, 3, all.data.length, 1_000]) {
    const listed: unknown[] = [];
    let cursor: string | null = null;
    do {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body }: { status: number; body: List } = await api.call<List>(
        'GET',
        `${path}?limit=${limit}${at}`,
      );
      expect(status).toBe(200);
      expect(body.data.length).toBeLessThanOrEqual(limit);
      listed.push(...body.data);
      cursor = body.next_cursor;
      // A list of some hundred is not read one by one.
    } while (cursor !== null && listed.length < 10);
    expect(listed).toEqual(all.data.slice(0, listed.length));
    if (cursor === null) expect(listed).toEqual(all.data);
  }
});

test.each(lists)('%s refuses a limit out of range and a cursor that it did not write', async (path) => {
  const other = (await api.call<List>('GET', '/v1/keys?limit=1')).body.next_cursor!;
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=abc', 'cursor=', 'cursor=WzFd']) {
    const { status, body } = await api.call<Schemas['Problem']>('GET', `${path}?${query}`);
    expect(status, query).toBe(422);
    expect(body.errors, query).toMatchObject([{ path: `/${query.split('=')[0]}` }]);
  }
  const ofOther = await api.call('GET', `${path}?cursor=${other}`);
  expect(ofOther.status).toBe(path === '/v1/keys' ? 200 : 422);
});

test('more keys than a page has are read on, each once, those of one instant too', async () => {
  const stack = await borrowedStack('api');
  const own = apiOf({ url: stack.url, key: await stack.addProject(`many-keys-${randomUUID()}`) });
  const known = (await own.call<List>('GET', '/v1/keys')).body.data;
  await rowsOf(
    stack.databaseUrl,
    `INSERT INTO api_keys (project_id, name, prefix, hash, scopes, created_at)
     SELECT k.project_id, 'key ' || n, 'sw_', sha256(($1 || n)::bytea), '{context:read}', now() - n / 100 * interval '1 s'
     FROM generate_series(1, 1500) n, api_keys k WHERE k.id = $2::uuid`,
    [randomUUID(), known[0]!.id],
  );
  const pages = await everyPage<List>(own, '/v1/keys');
  expect(pages.map(({ data }) => data.length)).toEqual([1_000, 500 + known.length]);
  expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(1_500 + known.length);
});

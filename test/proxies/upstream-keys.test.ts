import { apiOf, rowsOf, type Api } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { model, replies } from './proxy-rig.js';
import { newSecret, oldSecret, startUpstreamRig, type UpstreamRig } from './upstream-rig.js';

let rig: UpstreamRig;
beforeAll(async () => {
  rig = await startUpstreamRig();
});
afterAll(() => rig?.stop());
beforeEach(() => rig.reset());

describe('a key of an upstream', () => {
  test('is stored encrypted, and in no answer, audit entry or log line', async () => {
    const api = rig.apis.first;
    const shown = await rig.put(rig.keys.first, 'openai', {
      base_url: `${rig.first.url}/v1`,
      key: 'sk-never-shown',
    });
    expect(shown).toEqual({
      provider: 'openai',
      base_url: `${rig.first.url}/v1`,
      has_key: true,
      models: [],
      created_at: expect.any(String) as string,
      changed_at: expect.any(String) as string,
    });
    await rig.complete(rig.keys.first);
    rig.first.answer = (response) => void response.destroy();
    expect((await rig.complete(rig.keys.first)).status).toBe(502);
    rig.first.answer = replies('of the first');
    const rows = await rowsOf<{ key: string }>(rig.stack.databaseUrl, 'SELECT key FROM upstreams');
    expect(rows.every(({ key }) => key.startsWith('enc:1:'))).toBe(true);
    const seen = [
      await api.call('GET', '/v1/upstreams'),
      await api.call('GET', '/v1/audit?limit=1000'),
      await api.call('GET', '/v1/system'),
      await rowsOf(rig.stack.databaseUrl, 'SELECT detail FROM audit_log'),
      rows,
      rig.stack.api.output(),
    ].map((one) => JSON.stringify(one));
    expect(seen[0]).toContain('"has_key":true');
    expect(seen.at(-1)).toContain('upstreams');
    for (const one of seen) expect(one).not.toContain('sk-never-shown');
  });

  test('stays while the address does, and never goes to another one', async () => {
    await rig.put(rig.keys.first, 'openai', { base_url: `${rig.first.url}/v1`, models: [model] });
    await rig.complete(rig.keys.first);
    expect(rig.first.received[0]!.headers.authorization).toBe('Bearer sk-first-secret');
    const api = rig.apis.first;
    const moved = await api.call('PUT', '/v1/upstreams/openai', { base_url: `${rig.second.url}/v1` });
    expect(moved).toMatchObject({ status: 422, body: { errors: [{ path: '/key' }] } });
    expect((await api.call<{ data: object[] }>('GET', '/v1/upstreams')).body.data).toMatchObject([
      { base_url: `${rig.first.url}/v1`, models: [model], has_key: true },
    ]);
    expect(
      await rig.put(rig.keys.first, 'openai', { base_url: `${rig.second.url}/v1`, key: null }),
    ).toMatchObject({
      has_key: false,
    });
    await rig.complete(rig.keys.first);
    expect(rig.second.received[0]!.headers.authorization).toBeUndefined();
  });

  test('does not open in the row of another project', async () => {
    await rowsOf(
      rig.stack.databaseUrl,
      `UPDATE upstreams u SET key = other.key FROM upstreams other WHERE other.base_url = $1 AND u.base_url = $2`,
      [`${rig.second.url}/v1`, `${rig.first.url}/v1`],
    );
    const refused = await rig.complete(rig.keys.first);
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'upstream_not_configured' }]);
    expect(rig.counts()).toEqual([0, 0, 0]);
  });

  test('is encrypted again with a new key of the server at the next start', { tags: 'long' }, async () => {
    const stored = () =>
      rowsOf<{ key: string }>(
        rig.stack.databaseUrl,
        'SELECT key FROM upstreams ORDER BY base_url, project_id',
      );
    const before = await stored();
    const audited = await auditedActions(rig.apis.first);
    const lost = await rig.stack.startApi({ SPILLWAY_SECRET_KEY: newSecret });
    expect(await stored()).toEqual(before);
    expect(lost.output()).toContain('the key of an upstream cannot be opened');
    await lost.stop();

    const rotated = await rig.stack.startApi({ SPILLWAY_SECRET_KEY: `${newSecret},${oldSecret}` });
    const after = await stored();
    expect(after).not.toEqual(before);
    expect(new Set(after.map(({ key }) => key.split(':')[2])).size).toBe(1);
    await rotated.stop();
    const newOnly = await rig.stack.startApi({ SPILLWAY_SECRET_KEY: newSecret });
    expect((await rig.complete(rig.keys.first, { url: newOnly.url })).status).toBe(200);
    expect(rig.first.received[0]!.headers.authorization).toBe('Bearer sk-first-secret');
    await newOnly.stop();
    // Nobody changed an upstream.
    expect(await auditedActions(rig.apis.first)).toEqual(audited);
  });

  test('needs a key of the server to encrypt it with', async () => {
    const keyless = await rig.stack.startApi({ SPILLWAY_SECRET_KEY: '' });
    const api = apiOf({ url: keyless.url, key: rig.keys.first });
    expect(await api.call('PUT', '/v1/upstreams/anthropic', { key: 'sk-ant' })).toMatchObject({
      status: 422,
      body: { code: 'secrets_not_configured' },
    });
    const without = { base_url: `${rig.first.url}/v1`, key: null };
    expect((await api.call('PUT', '/v1/upstreams/anthropic', without)).status).toBe(200);
    await keyless.stop();
  });
});

const auditedActions = async (api: Api) =>
  (
    await api.call<{ data: { action: string; target: string; detail: object }[] }>(
      'GET',
      '/v1/audit?limit=1000',
    )
  ).body.data
    .filter(({ action }) => action.startsWith('upstream.'))
    .map(({ action, target, detail }) => ({ action, target, detail }));

test('who changed an upstream is in the audit log', async () => {
  const key = await rig.stack.addProject('audited');
  const api = apiOf({ url: rig.stack.url, key });
  await rig.put(key, 'openai', { base_url: `${rig.first.url}/v1`, key: 'sk-audited' });
  await rig.put(key, 'openai', { base_url: `${rig.first.url}/v1`, models: [model] });
  await api.call('DELETE', '/v1/upstreams/openai');
  const detail = { base_url: `${rig.first.url}/v1`, has_key: true, models: [model] };
  expect(await auditedActions(api)).toEqual([
    { action: 'upstream.removed', target: 'openai', detail },
    { action: 'upstream.changed', target: 'openai', detail },
    { action: 'upstream.created', target: 'openai', detail: { ...detail, models: [] } },
  ]);
});

test('a second change in the same millisecond is in the audit log too', async () => {
  const before = await auditedActions(rig.apis.first);
  await rowsOf(rig.stack.databaseUrl, 'UPDATE upstreams SET models = $1 WHERE base_url = $2', [
    ['other'],
    `${rig.first.url}/v1`,
  ]);
  const [newest, ...older] = await auditedActions(rig.apis.first);
  expect(older).toEqual(before);
  expect(newest).toMatchObject({ action: 'upstream.changed', detail: { models: ['other'] } });
});

test.each<[string, object, string]>([
  ['a private address', { base_url: 'https://10.1.2.3/v1' }, '/base_url'],
  ["the cloud's metadata", { base_url: 'https://169.254.169.254/latest' }, '/base_url'],
  ['a name of this machine', { base_url: 'https://localhost:4000/v1' }, '/base_url'],
  ['http to a host that is not allowed', { base_url: 'http://example.com/v1' }, '/base_url'],
  ['another protocol', { base_url: 'file:///etc/passwd' }, '/base_url'],
  ['credentials', { base_url: 'https://user:pass@example.com/v1' }, '/base_url'],
  ['a query', { base_url: 'https://example.com/v1?api-version=1' }, '/base_url'],
  ['no URL', { base_url: 'api.openai.com' }, '/base_url'],
  ['a key with a line break', { key: 'sk-a\nx-evil: 1' }, '/key'],
  ['an empty key', { key: '' }, '/key'],
  ['a model without a name', { models: [''] }, '/models/0'],
])('%s is refused with its place', async (_, body, path) => {
  const api = rig.apis.first;
  const refused = await api.call('PUT', '/v1/upstreams/anthropic', { key: 'sk-x', ...body });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  expect((await api.call<{ data: object[] }>('GET', '/v1/upstreams')).body.data).toHaveLength(1);
});

test('an address that has become private gets no connection', async () => {
  const strict = await rig.stack.startApi({ SPILLWAY_UPSTREAM_HOSTS: '' });
  for (const host of ['127.0.0.1', 'localhost']) {
    // What a name that resolves to another address since would be.
    const baseUrl = `${rig.first.url.replace('127.0.0.1', host)}/v1`;
    await rowsOf(rig.stack.databaseUrl, 'UPDATE upstreams SET base_url = $1', [baseUrl]);
    const refused = await rig.complete(rig.keys.first, { url: strict.url });
    expect([refused.status, await refused.json()]).toMatchObject([502, { code: 'upstream_failed' }]);
  }
  expect(rig.counts()).toEqual([0, 0, 0]);
  expect(strict.output().split('private_address').length).toBeGreaterThan(2);
  await strict.stop();
});

test('only an admin of the project sees and changes them', async () => {
  const { first: ours, second: theirs } = rig.apis;
  const { body: writer } = await ours.call<{ key: string }>('POST', '/v1/keys', {
    name: 'writer',
    scopes: ['messages:write', 'context:read', 'outputs:read', 'threads:manage'],
  });
  const api = apiOf({ url: rig.stack.url, key: writer.key });
  for (const [method, path, body] of [
    ['GET', '/v1/upstreams', undefined],
    ['PUT', '/v1/upstreams/openai', { base_url: `${rig.second.url}/v1`, key: null }],
    ['DELETE', '/v1/upstreams/openai', undefined],
  ] as const)
    expect((await api.call(method, path, body)).status).toBe(403);
  expect((await theirs.call<{ data: object[] }>('GET', '/v1/upstreams')).body.data).toMatchObject([
    { base_url: `${rig.second.url}/v1` },
  ]);
  expect((await rig.complete(writer.key)).status).toBe(200);
  expect(rig.counts()).toEqual([0, 1, 0]);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Schemas } from '@spillway/client';
import { temporaryFolder, type TemporaryFolder } from '@spillway/embedded';
import { apiOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type ProjectPolicy = Schemas['ProjectPolicy'];
type ThreadPolicy = Schemas['ThreadPolicy'];

let folder: TemporaryFolder;
let stack: Stack;
let api: Api;
beforeAll(async () => {
  folder = await temporaryFolder();
  const config = join(folder.path, 'spillway.yaml');
  await writeFile(config, 'policy:\n  context:\n    reserve_ratio: 0.07\n    trigger_ratio: 0.6\n');
  stack = await startStack({ workers: 0, redis: false, env: { SPILLWAY_CONFIG: config } });
  api = apiOf(stack);
});
afterAll(async () => {
  await stack?.stop();
  await folder?.remove();
});

const get = async <T>(path: string): Promise<T> => (await api.call<T>('GET', path)).body;

test('every value of a policy says which level it comes from, and what it would be without this level', async () => {
  await api.call('PUT', '/v1/policy', { preset: 'dawn', context: { trigger_ratio: 0.5 } });
  const project = await get<ProjectPolicy>('/v1/policy');
  expect(project.sources).toMatchObject({
    'context.reserve_ratio': 'server',
    'context.trigger_ratio': 'project',
    'context.keep_recent_turns': 'preset:dawn',
    'context.max_images': 'default',
  });
  expect(project.inherited.sources['context.trigger_ratio']).toBe('server');
  expect(project.inherited.effective).toMatchObject({ context: { trigger_ratio: 0.6 } });

  const context = { trigger_ratio: 0.4, context_window: 9_000, trigger_tokens: null };
  await api.createThread({ id: 'own', policy: { context } });
  const thread = await get<ThreadPolicy>('/v1/threads/own/policy');
  expect(thread.policy).toEqual({ context });
  expect(thread.sources).toMatchObject({
    'context.trigger_ratio': 'thread',
    'context.keep_recent_turns': 'preset:dawn',
    'context.reserve_ratio': 'server',
  });
  expect(thread.inherited.sources['context.trigger_ratio']).toBe('project');
  const row = await api.thread('own');
  expect(thread.budget).toEqual({
    context_window: 9_000,
    limit: row.limit_tokens,
    trigger: row.trigger_tokens,
  });
});

test('the schema that editors read bounds, describes and defaults every key, and has the presets', async () => {
  const { effective } = await get<ProjectPolicy>('/v1/policy');
  interface Property {
    description?: string;
    default?: unknown;
    properties: Record<string, Property>;
  }
  const schema = await get<Property & { 'x-presets': object }>('/v1/policy/schema');
  expect(Object.keys(schema['x-presets'])).toEqual(['dawn', 'chronos', 'agentscope']);
  for (const [group, values] of Object.entries(effective)) {
    const keys = Object.keys(values as object).sort();
    const { properties } = schema.properties[group]!;
    expect(Object.keys(properties).sort()).toEqual(keys);
    for (const key of keys) {
      expect(properties[key]!.description, `${group}.${key}`).toMatch(/^[A-Z].{20,}\.$/);
      expect(properties[key], `${group}.${key}`).toHaveProperty('default');
    }
  }
});

describe('a change that names the version it was made from', () => {
  test('is refused when somebody changed the policy meanwhile, and nothing is written', async () => {
    const seen = (await get<ProjectPolicy>('/v1/policy')).version;
    const first = { 'if-match': `"${seen}"` };
    const one = await api.call<ProjectPolicy>('PUT', '/v1/policy', { outputs: { head_lines: 1 } }, first);
    expect(one.status).toBe(200);
    expect(one.headers.get('etag')).toBe(`"${one.body.version}"`);
    const two = await api.call('PUT', '/v1/policy', { outputs: { head_lines: 2 } }, first);
    expect(two).toMatchObject({ status: 412, body: { code: 'policy_changed' } });
    expect((await get<ProjectPolicy>('/v1/policy')).policy).toEqual({ outputs: { head_lines: 1 } });
  });

  test('lands once when several are made from the same version', async () => {
    const { version } = await get<ProjectPolicy>('/v1/policy');
    const answers = await Promise.all(
      [3, 4, 5, 6].map((n) =>
        api.call('PUT', '/v1/policy', { outputs: { head_lines: n } }, { 'if-match': `"${version}"` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('lands on any version without the header, and with *', async () => {
    expect((await api.call('PUT', '/v1/policy', {})).status).toBe(200);
    expect((await api.call('PUT', '/v1/policy', {}, { 'if-match': '*' })).status).toBe(200);
  });

  test('may name the version without quotes', async () => {
    const { version } = await get<ProjectPolicy>('/v1/policy');
    expect((await api.call('PUT', '/v1/policy', {}, { 'if-match': version })).status).toBe(200);
    expect(
      (
        await api.call(
          'PUT',
          '/v1/policy',
          { context: { trigger_ratio: 0.3 } },
          { 'if-match': `${version}x` },
        )
      ).status,
    ).toBe(412);
  });

  test('is refused for a thread too', async () => {
    await api.createThread({ id: 'shared' });
    const { version } = await get<ThreadPolicy>('/v1/threads/shared/policy');
    const change = (n: number) =>
      api.call(
        'PATCH',
        '/v1/threads/shared',
        { policy: { context: { max_images: n } } },
        { 'if-match': `"${version}"` },
      );
    expect((await change(1)).status).toBe(200);
    expect(await change(2)).toMatchObject({ status: 412, body: { code: 'policy_changed' } });
    expect((await get<ThreadPolicy>('/v1/threads/shared/policy')).policy).toEqual({
      context: { max_images: 1 },
    });
  });
});

test('a preview says what a draft would mean and what speaks against it, and changes nothing', async () => {
  await api.call('PUT', '/v1/policy', {});
  const draft = { context: { trigger_ratio: 0.3, response_reserve: 90_000 } };
  const preview = await api.call<Schemas['PolicyPreview']>('POST', '/v1/policy/preview', { policy: draft });
  expect(preview.status).toBe(200);
  expect(preview.body.sources['context.trigger_ratio']).toBe('project');
  expect(preview.body.budget).toBeNull();
  expect(preview.body.problems.map(({ path }) => path)).toEqual(['/context/response_reserve']);
  const ofThread = { thread_id: 'shared', policy: { context: { context_window: 10_000 } } };
  const thread = await api.call<Schemas['PolicyPreview']>('POST', '/v1/policy/preview', ofThread);
  expect(thread.body.budget).toMatchObject({ context_window: 10_000, limit: 5_904 });
  expect(thread.body.problems).toEqual([]);
  expect((await get<ProjectPolicy>('/v1/policy')).policy).toEqual({});
  expect((await get<ThreadPolicy>('/v1/threads/shared/policy')).budget.context_window).not.toBe(10_000);
  const unknown = await api.call('POST', '/v1/policy/preview', { policy: { context: { nonsense: 1 } } });
  expect(unknown).toMatchObject({ status: 422, body: { errors: [{ path: '/policy/context/nonsense' }] } });
});

test("an overridden window can be given back to the registry, and another project's stays", async () => {
  const other = apiOf({ ...stack, key: await stack.addProject('other') });
  const windowOf = async (of: Api) =>
    (await of.call<Schemas['ModelList']>('GET', '/v1/models')).body.data.find(
      ({ name }) => name === 'gpt-4o',
    );
  const known = await windowOf(api);
  for (const of of [api, other]) await of.call('PUT', '/v1/models/gpt-4o', { context_window: 9_000 });
  expect(await windowOf(api)).toMatchObject({ context_window: 9_000, source: 'override' });
  expect((await api.call('DELETE', '/v1/models/gpt-4o')).status).toBe(204);
  expect(await windowOf(api)).toEqual(known);
  expect(await windowOf(other)).toMatchObject({ context_window: 9_000 });
  const again = await api.call('DELETE', '/v1/models/gpt-4o');
  expect(again).toMatchObject({ status: 404, body: { code: 'model_not_found' } });
});

test('after the policy of a project is saved, a thread and its context name the same trigger', async () => {
  const api = apiOf({ url: stack.url, key: await stack.addProject('follows') });
  await api.createThread({ id: 'follows', model: 'gpt-4o' });
  await api.append('follows', { role: 'user', content: 'hello' });
  const saved = await api.call('PUT', '/v1/policy', {
    context: { context_window: 10_000, trigger_ratio: 0.5 },
  });
  expect(saved.status).toBe(200);
  // A context that is read weighs the thread again: until then its row keeps the budget of the append.
  const shown = await api.thread('follows');
  const { budget } = await api.context('follows');
  expect(budget.trigger).toBe(5_000);
  const named = { context_window: 10_000, limit_tokens: budget.limit, trigger_tokens: 5_000 };
  expect(shown).toMatchObject(named);
  const list = await api.call<Schemas['ThreadList']>('GET', '/v1/threads');
  expect(list.body.data).toMatchObject([named]);
});

import type { Schemas } from '@spillway/client';
import { apiOf, type Api } from '@spillway/testing';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { runCommand, type Server } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
const folder = testFolder();
let file: string;

const openai = { base_url: 'https://example.com/v1', models: ['m'] };
const anthropic = { base_url: 'https://example.com/anthropic', models: ['n'], key: 'any-key' };
const house = { context_window: 12_000, input_price: 1.5 };

beforeAll(async () => {
  stack = await borrowedStack('api');
  const { server, api } = await project('settings-source');
  await api.createThread({ id: 'one' });
  expect((await api.call('PUT', '/v1/models/house-model', house)).status).toBe(200);
  await put(api, 'openai', openai);
  await put(api, 'anthropic', anthropic);
  file = join(folder.path, 'project.backup');
  expect(await runCommand(server, ['backup', file])).toMatchObject({ code: 0 });
});

async function project(name: string): Promise<{ server: Server; api: Api }> {
  const server = { url: stack.url, key: await stack.addProject(name) };
  return { server, api: apiOf(server) };
}

async function put(api: Api, provider: string, upstream: object): Promise<void> {
  expect((await api.call('PUT', `/v1/upstreams/${provider}`, upstream)).status).toBe(200);
}

async function restore(server: Server, ...more: string[]) {
  const { code, stdout, stderr } = await runCommand(server, ['restore', file, '--json', ...more]);
  return { code, todo: stdout === '' ? null : (JSON.parse(stdout) as { todo: string[] }).todo, stderr };
}

const upstreamsOf = async (api: Api) =>
  (await api.call<Schemas['UpstreamList']>('GET', '/v1/upstreams')).body.data;
const windowOf = async (api: Api) =>
  (await api.call<Schemas['Model']>('GET', '/v1/models/house-model')).body.context_window;

test('a restore that is called again changes no setting, and asks for nothing that is done', async () => {
  const { server, api } = await project('settings-again');
  expect(await restore(server)).toEqual({
    code: 0,
    todo: ['Put the upstream of anthropic (https://example.com/anthropic) with its key: no backup holds it.'],
    stderr: '',
  });
  await put(api, 'anthropic', anthropic);
  expect(await restore(server, '--skip-existing')).toEqual({ code: 0, todo: [], stderr: '' });
  expect(await windowOf(api)).toBe(12_000);
});

test('a model that the project has changed since is refused before anything is restored', async () => {
  const { server, api } = await project('settings-models');
  await api.call('PUT', '/v1/models/house-model', { context_window: 24_000 });
  const { code, stderr } = await restore(server, '--skip-existing');
  expect(code).toBe(6);
  expect((JSON.parse(stderr) as { error: object }).error).toMatchObject({
    code: 'models_differ',
    message: expect.stringContaining('house-model') as string,
    next: expect.stringContaining('--threads-only') as string,
  });
  expect(await windowOf(api)).toBe(24_000);
  expect(await upstreamsOf(api)).toEqual([]);
  expect((await api.call('GET', '/v1/threads/one')).status).toBe(404);
  expect(await restore(server, '--threads-only')).toMatchObject({ code: 0 });
  expect(await windowOf(api)).toBe(24_000);
});

test.each([
  ['another address', 'openai', { ...openai, base_url: 'https://example.org/v1' }],
  ['other models', 'openai', { ...openai, models: ['m', 'o'] }],
  ['a key', 'openai', { ...openai, key: 'its-key' }],
  ['another address beside its key', 'anthropic', { ...anthropic, base_url: 'https://example.org/a' }],
])('an upstream that has %s since is left as it is, and named', async (what, provider, changed) => {
  const { server, api } = await project(`settings-upstream-${what}`);
  expect((await restore(server)).code).toBe(0);
  await put(api, 'anthropic', anthropic);
  await put(api, provider, changed);
  const before = await upstreamsOf(api);
  const { code, todo } = await restore(server, '--skip-existing');
  expect(code).toBe(0);
  expect(await upstreamsOf(api)).toEqual(before);
  expect(todo).toEqual([expect.stringContaining(`Check the upstream of ${provider}`) as string]);
});

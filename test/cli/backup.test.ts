import type { Schemas } from '@spillway/client';
import { apiOf, loadSamples, startStack, type Api, type Stack } from '@spillway/testing';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settled } from '../folding-thread.js';
import { toolRun } from '../tool-calls.js';
import { program, runCommand, type Ended, type Server } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: Stack;
const folder = testFolder();
let file: string;
let api: Api;

const log = Array.from({ length: 3_000 }, (_, i) => `${i + 1}: step ${(i * 7919) % 1000} ok`).join('\n');
const threads = ['build', 'long', 'empty'];
const policy = { context: { trigger_ratio: 0.7 } };

const run = (server: Server, ...words: string[]): Promise<Ended> => runCommand(server, words);
const project = async (name: string): Promise<Server> => ({
  url: stack.url,
  key: await stack.addProject(name),
});
const json = <T>(ended: Ended): T => {
  if (ended.code !== 0) throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as T;
};
const errorOf = ({ stderr }: Ended) =>
  (JSON.parse(stderr) as { error: { code: string; message: string; exit_code: number } }).error;

async function contextsOf(server: Server) {
  const reader = apiOf(server);
  return Promise.all(threads.map(async (id) => [id, (await reader.context(id)).messages]));
}

beforeAll(async () => {
  stack = await startStack({ redis: false, env: { SPILLWAY_POLL_MS: '200' } });
  api = apiOf(stack);
  file = join(folder.path, 'project.backup');
  expect((await api.call('PUT', '/v1/policy', policy)).status).toBe(200);
  await api.call('PUT', '/v1/models/house-model', { context_window: 12_000, input_price: 1.5 });
  await api.call('PUT', '/v1/models/gpt-4o', { output_price: 7 });
  const webhook = { url: 'https://example.com/spillway', types: ['context.summarized'], description: 'x' };
  const made = await api.call<{ id: string }>('POST', '/v1/webhooks', webhook);
  expect(made.status).toBe(201);
  await api.call('PATCH', `/v1/webhooks/${made.body.id}`, { enabled: false });
  const upstream = { base_url: 'https://example.com/v1', models: ['m'] };
  expect((await api.call('PUT', '/v1/upstreams/openai', upstream)).status).toBe(200);
  await api.append('build', { role: 'user', content: 'Build it.' }, ...toolRun('c1', log));
  await api.createThread({ id: 'long', model: 'house-model' });
  const { messages } = loadSamples()[0]!;
  for (let i = 0; i < Math.min(messages.length, 120); i += 40)
    await api.append('long', ...messages.slice(i, i + 40));
  await settled(api, 'long', 1);
  await api.createThread({ id: 'empty' });
  await api.createThread({ id: 'gone' });
  await api.call('DELETE', '/v1/threads/gone');
});
afterAll(async () => {
  await stack?.stop();
});

describe('a backup', () => {
  test('is written whole, holds no secret and is replaced with --force alone', async () => {
    const written = await run(stack, 'backup', file, '--json');
    expect(json(written)).toMatchObject({ file, threads: 3 });
    expect(written.stderr).toBe('');
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    expect(text).not.toMatch(/whsec_|sw_[0-9a-f]/);
    const refused = await run(stack, 'backup', file);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('--force');
    expect((await run(stack, 'backup', file, '--force')).stderr).toMatch(/Wrote .*: 3 threads, \d+ bytes/);
    expect(readdirSync(folder.path)).toEqual(['project.backup']);
  });

  test('shows a bar on a terminal alone, and none with --json', { tags: 'long' }, () => {
    const other = join(folder.path, 'watched');
    // The program script runs a command in a terminal of its own.
    const inTerminal = (...words: string[]): string => {
      const command = [process.execPath, program, 'backup', other, '--force', ...words].join(' ');
      const env = { PATH: process.env.PATH!, SPILLWAY_URL: stack.url, SPILLWAY_KEY: stack.key };
      return execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' });
    };
    const shown = inTerminal();
    expect(shown).toMatch(/\[#* *\] \d+ % {2}\d of 3 threads, \d+ bytes/);
    expect(shown).toMatch(/\r\u001b\[KWrote /);
    expect(inTerminal('--json')).toMatch(/^\{"file":.*\}\r\n$/);
    rmSync(other);
  });

  test('says what it holds, without a server', async () => {
    const nowhere = { url: 'http://127.0.0.1:9', key: '' };
    expect(json(await run(nowhere, 'restore', file, '--dry-run', '--json'))).toMatchObject({
      project: 'default',
      threads: 3,
      policy,
      models: 2,
      webhooks: 1,
      upstreams: 1,
      dry_run: true,
    });
    expect((await run(nowhere, 'restore', file, '--dry-run')).stdout).toMatch(
      /^The file is whole: 3 threads/,
    );
  });

  test('that breaks off leaves no file', async () => {
    const away = await run(
      { ...stack, url: 'http://127.0.0.1:2' },
      'backup',
      join(folder.path, 'none'),
      '--json',
    );
    expect(away.code).toBe(5);
    const broken = createServer((request, response) => {
      const answer = answers[request.url!.split('?')[0]!];
      if (answer) return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      response.write('{"type":"spillway-thread"');
      setTimeout(() => response.destroy(), 50);
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const ended = await run({ ...stack, url }, 'backup', join(folder.path, 'none'), '--json');
    broken.close();
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'backup_broken' });
    expect(readdirSync(folder.path)).toEqual(['project.backup']);
  });

  test('needs the scope admin', async () => {
    const { body } = await api.call<Schemas['KeyCreated']>('POST', '/v1/keys', {
      name: 'reader',
      scopes: ['context:read'],
    });
    expect(await run({ ...stack, key: body.key }, 'backup', join(folder.path, 'none'))).toMatchObject({
      code: 3,
    });
  });
});

/** Answers of a server that breaks off in the middle of a thread. */
const answers: Record<string, object> = {
  '/v1/policy': { policy: {} },
  '/v1/models': { data: [], next_cursor: null },
  '/v1/webhooks': { data: [], next_cursor: null },
  '/v1/upstreams': { data: [], next_cursor: null },
  '/v1/sessions/current': { project: { name: 'default' } },
  '/v1/thread-counts': { total: 1 },
  '/v1/threads': { data: [{ id: 'one' }], next_cursor: null },
};

describe('a restore', () => {
  let target: Server;
  beforeAll(async () => {
    if (!existsSync(file)) json(await run(stack, 'backup', file, '--json'));
    target = await project('restored');
  });

  test('brings threads, contexts and settings back', async () => {
    const restored = json<{ webhooks: { url: string; secret: string }[] }>(
      await run(target, 'restore', file, '--json'),
    );
    expect(restored).toMatchObject({
      threads: 3,
      outputs: expect.any(Number) as number,
      missing_outputs: 0,
      skipped: 0,
      differing: [],
      webhooks: [{ url: 'https://example.com/spillway' }],
      todo: [],
    });
    expect(await contextsOf(target)).toEqual(await contextsOf(stack));
    const there = apiOf(target);
    const get = async <T>(path: string, of = there) => (await of.call<T>('GET', path)).body;
    expect(await get<object>('/v1/policy')).toMatchObject({ policy });
    expect(await get('/v1/models')).toEqual(await get('/v1/models', api));
    expect((await get<Schemas['WebhookList']>('/v1/webhooks')).data).toMatchObject([
      { url: 'https://example.com/spillway', types: ['context.summarized'], enabled: false },
    ]);
    expect((await get<Schemas['UpstreamList']>('/v1/upstreams')).data).toMatchObject([
      { provider: 'openai', base_url: 'https://example.com/v1', models: ['m'], has_key: false },
    ]);
    expect((await there.originals('build')).at(-1)).toMatchObject({ content: log });
  });

  test(
    'changes no thread that is there, and goes on with those that are missing',
    { tags: 'long' },
    async () => {
      // Where the test before this one was left out.
      await run(target, 'restore', file, '--json', '--skip-existing');
      const refused = await run(target, 'restore', file, '--json');
      expect(refused).toMatchObject({ code: 6, stdout: '' });
      expect(errorOf(refused)).toMatchObject({ code: 'thread_exists' });
      expect(errorOf(refused).message).toContain('3 of the threads already: build, empty, long');
      expect(json(await run(target, 'restore', file, '--json', '--skip-existing'))).toMatchObject({
        threads: 0,
        skipped: 3,
        webhooks: [],
      });
      const half = await project('half');
      await apiOf(half).createThread({ id: 'empty' });
      const text = await run(half, 'restore', file, '--skip-existing');
      expect(text).toMatchObject({ code: 0 });
      expect(text.stdout).toMatch(
        /^Restored 2 threads with \d+ messages and \d+ outputs. Already there: 1.\n/,
      );
      expect(text.stdout).toMatch(/The webhook .* has a new secret: whsec_/);
    },
  );

  test('brings forks and what they share back, whatever the order of the ids', { tags: 'long' }, async () => {
    const [source, target] = [await project('with-forks'), await project('forks-restored')];
    const [from, to] = [apiOf(source), apiOf(target)];
    const say = { role: 'user', content: 'Build it.' };
    const made = await from.append('middle', say, ...toolRun('c1', log));
    const { id } = made.messages[2]!.output!;
    // Threads are written by id: one fork comes before its parent, the others after.
    for (const [of, fork] of [['middle', 'after'], ['middle', 'zone'], ['zone', 'zone-2']] as const)
      expect((await from.call('POST', `/v1/threads/${of}/fork`, { id: fork })).status).toBe(201); // prettier-ignore
    const forks = join(folder.path, 'forks');
    json(await run(source, 'backup', forks, '--json'));
    expect(json(await run(target, 'restore', forks, '--json'))).toMatchObject({
      threads: 4,
      outputs: 4,
      missing_outputs: 0,
      differing: [],
    });
    rmSync(forks);
    for (const thread of ['after', 'middle', 'zone']) {
      expect((await to.originals(thread)).at(-1)).toMatchObject({ content: log });
      expect((await to.call('DELETE', `/v1/threads/${thread}`)).status).toBe(204);
    }
    expect((await to.originals('zone-2')).at(-1)).toMatchObject({ content: log });
    const content = await to.call('GET', `/v1/outputs/${id}/content`);
    expect([content.status, content.body]).toEqual([200, log]);
  });

  test(
    'goes on when the server refuses a thread, and takes one with a key that is locked since',
    { tags: 'long' },
    async () => {
      const [source, target] = [await project('with-locks'), await project('locks-restored')];
      const [from, to] = [apiOf(source), apiOf(target)];
      await from.createThread({ id: 'erased-since' });
      await from.createThread({ id: 'locked-since', policy: { outputs: { ttl_ms: 3_600_000 } } });
      await from.append('locked-since', { role: 'user', content: 'hello' });
      await from.call('PUT', '/v1/policy', { locks: ['outputs.ttl_ms'] });
      const saved = join(folder.path, 'locks');
      json(await run(source, 'backup', saved, '--json'));
      await to.createThread({ id: 'erased-since' });
      await to.call('DELETE', '/v1/threads/erased-since');
      const ended = await run(target, 'restore', saved, '--json');
      expect(ended.code).toBe(1);
      expect(JSON.parse(ended.stdout)).toMatchObject({
        threads: 1,
        messages: 1,
        refused: [{ id: 'erased-since', reason: expect.stringContaining('erased') as string }],
      });
      expect((await to.originals('locked-since')).at(-1)).toMatchObject({ content: 'hello' });
      const text = await run(target, 'restore', saved, '--skip-existing');
      expect(text.stdout).toContain('The thread erased-since was not restored: ');
    },
  );

  test('keeps a policy that the project has', { tags: 'long' }, async () => {
    const own = await project('own-policy');
    await apiOf(own).call('PUT', '/v1/policy', { context: { trigger_ratio: 0.5 } });
    const refused = await run(own, 'restore', file, '--json');
    expect(refused.code).toBe(6);
    expect(errorOf(refused)).toMatchObject({ code: 'policy_differs' });
    expect(json(await run(own, 'restore', file, '--json', '--threads-only'))).toMatchObject({ threads: 3 });
    const { body } = await apiOf(own).call('GET', '/v1/policy');
    expect(body).toMatchObject({ policy: { context: { trigger_ratio: 0.5 } } });
  });

  test('says which contexts differ under other settings', { tags: 'long' }, async () => {
    const small = await project('small-window');
    // Half of so small a window is kept for the answer: the context no longer fits.
    const { total } = (await api.context('long')).tokens;
    await apiOf(small).call('PUT', '/v1/models/house-model', { context_window: 2 * total - 200 });
    const ended = await run(small, 'restore', file, '--json', '--threads-only');
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ threads: 3, differing: ['long'] });
    expect(await apiOf(small).originals('long')).toEqual(await api.originals('long'));
  });

  test('of a file that is cut off or altered is refused, and restores nothing', async () => {
    const empty = await project('never');
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    const bytes = readFileSync(file);
    const wrong: [string, Buffer, RegExp][] = [
      ['cut off', bytes.subarray(0, bytes.length - 100), /was cut off/],
      ['cut off before its last line', gzipSync(text.slice(0, text.lastIndexOf('{"type":"end-of'))), /was cut off/],
      ['with another message', gzipSync(text.replace('Build it.', 'Break it.')), /altered or damaged/],
      ['with a thread less', gzipSync(text.replace(/\{"type":"thread","id":"empty"\}\n[^]*?\{"type":"end",.*\n/, '')), /altered or damaged/],
      ['with more at its end', gzipSync(`${text}{}\n`), /more after its last line/],
      ['of another version', gzipSync(text.replace('"version":1', '"version":9')), /has version 9/],
      ['with a damaged byte', Buffer.concat([bytes.subarray(0, 2_000), Buffer.from([bytes[2_000]! ^ 255]), bytes.subarray(2_001)]), /damaged|cut off|not JSON/],
      ['that is something else', Buffer.from('{"role":"user"}'), /compression is damaged/],
      ['that is something else, compressed', gzipSync('{"role":"user"}\n'), /does not begin as a backup/],
      ['that is empty', Buffer.alloc(0), /cut off/],
    ]; // prettier-ignore
    for (const [what, content, message] of wrong) {
      const damaged = join(folder.path, 'wrong');
      writeFileSync(damaged, content);
      const ended = await run(empty, 'restore', damaged, '--json');
      expect({ what, code: ended.code, stdout: ended.stdout }).toEqual({ what, code: 2, stdout: '' });
      expect(errorOf(ended)).toMatchObject({ code: 'backup_damaged' });
      expect(errorOf(ended).message).toMatch(message);
    }
    expect((await apiOf(empty).call<Schemas['ThreadList']>('GET', '/v1/threads')).body.data).toEqual([]);
    expect((await run(empty, 'restore', join(folder.path, 'nothing'))).code).toBe(1);
    const ofFolder = await run(empty, 'restore', folder.path);
    expect(ofFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('It is a folder') as string });
  });

  test(
    'goes on when the server refuses a thread in its middle, and says which',
    { tags: 'long' },
    async () => {
      const middle = await project('middle');
      // Another thread of the project has the outputs of the first one already.
      const { body } = await api.call<string>('GET', '/v1/threads/long/backup');
      const copied = await apiOf(middle).call('PUT', '/v1/threads/copy-of-long/backup', body);
      expect(copied.status).toBe(201);
      copyFileSync(file, join(folder.path, 'copy'));
      const ended = await run(middle, 'restore', join(folder.path, 'copy'), '--json', '--threads-only');
      expect(ended.code).toBe(1);
      expect(JSON.parse(ended.stdout)).toMatchObject({ threads: 2, refused: [{ id: 'long' }] });
    },
  );
});

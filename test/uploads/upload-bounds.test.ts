import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { apiOf, rowsOf, startStack, until, type Api, type AppProcess, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  beginUpload,
  call,
  filesIn,
  logOf,
  result,
  upload as send,
  type Problem,
  type Uploaded,
} from './upload-client.js';

let stack: Stack;
let api: Api;
/** Takes 2 MiB at most, and waits a second for bytes. */
let strict: AppProcess;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false, memory: 'production' });
  api = apiOf(stack);
  strict = await stack.startApi({
    SPILLWAY_OUTPUT_MAX_BYTES: String(2 * 1024 * 1024),
    SPILLWAY_REQUEST_TIMEOUT_MS: '1000',
  });
});
afterAll(() => stack?.stop());

const to = (thread: string) => ({ url: stack.url, key: stack.key, thread });
const read = (id: string, query = '') => api.call<string>('GET', `/v1/outputs/${id}/content${query}`);
const files = () => filesIn(stack.outputsFolder);
const rowCount = async () =>
  (await rowsOf<{ n: number }>(stack.databaseUrl, 'SELECT count(*)::int AS n FROM outputs'))[0]!.n;

describe('an upload that fails leaves nothing behind', () => {
  let before: { files: string[]; rows: number };
  beforeEach(async () => {
    await api.append('failed', { role: 'user', content: 'x' });
    before = { files: files(), rows: await rowCount() };
  });
  const expectNothing = async () => {
    await until('no bytes are left', () =>
      Promise.resolve(JSON.stringify(files()) === JSON.stringify(before.files)),
    );
    expect(await rowCount()).toBe(before.rows);
    expect((await send(to('failed'), 'the next one')).status).toBe(201);
  };
  const strictly = (headers: Record<string, string> = {}) => ({ ...to('failed'), url: strict.url, headers });

  test('announced as too large', async () => {
    const refused = await send<Problem>(strictly({ 'content-length': '3000000000' }), 'x'.repeat(100_000));
    expect(refused).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect(refused.body.detail).toContain('2,097,152 bytes');
    await expectNothing();
  });

  test('too large when it has come', async () => {
    const refused = await send<Problem>(strictly(), logOf(6));
    expect(refused).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    await expectNothing();
  });

  test('aborted by the client', async () => {
    const sent = beginUpload(to('failed')).on('error', () => undefined);
    for await (const piece of logOf(5)) sent.write(piece);
    await until('bytes have come', () => Promise.resolve(files().length > before.files.length));
    sent.destroy();
    await expectNothing();
  });

  test('too slow', async () => {
    const sent = beginUpload(strictly()).on('error', () => undefined);
    sent.write('the first bytes, and then nothing');
    const [response] = (await once(sent, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(408);
    await expectNothing();
  });

  test('a store that takes no writes', async () => {
    const folder = stack.outputsFolder;
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'a file');
    const refused = await send<Problem>(to('failed'), logOf(3));
    expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    await rm(folder);
    await rename(`${folder}.away`, folder);
    await expectNothing();
  });

  test('of a thread that is erased while it comes', async () => {
    await api.append('erased', { role: 'user', content: 'x' });
    const sent = beginUpload(to('erased'));
    const answered = once(sent, 'response') as Promise<[{ statusCode: number }]>;
    sent.write('some');
    await until('bytes have come', () => Promise.resolve(files().length > before.files.length));
    expect((await api.call('DELETE', '/v1/threads/erased')).status).toBe(204);
    sent.end('more');
    const [response] = await answered;
    expect(response.statusCode).toBe(410);
    await until('no bytes are left', () =>
      Promise.resolve(JSON.stringify(files()) === JSON.stringify(before.files)),
    );
  });
});

test('an API that stops answers an upload under way, and stops in time', async () => {
  const stopping = await stack.startApi();
  await api.append('stopped', { role: 'user', content: 'x' });
  const before = files();
  const sent = beginUpload({ ...to('stopped'), url: stopping.url }).on('error', () => undefined);
  sent.write('some');
  await until('bytes have come', () => Promise.resolve(files().length > before.length));
  const answered = once(sent, 'response') as Promise<[{ statusCode: number }]>;
  expect(await stopping.stop()).toBe(0);
  expect((await answered)[0].statusCode).toBe(503);
  expect(files()).toEqual(before);
});

describe('a large upload', () => {
  const memoryMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.api.pid}/status`, 'utf8'))![1]) / 1_024;

  /** Uploads and posts so many megabytes, and returns how much memory the process had at most meanwhile. */
  async function measured(
    thread: string,
    megabytes: number,
  ): Promise<{ peakMb: number; uploaded: Uploaded }> {
    await api.append(thread, { role: 'user', content: 'run it' }, call());
    let peakMb = 0;
    const timer = setInterval(() => (peakMb = Math.max(peakMb, memoryMb())), 20);
    const { status, body } = await send(to(thread), logOf(megabytes));
    clearInterval(timer);
    expect(status).toBe(201);
    await api.append(thread, result(body.stub));
    return { peakMb, uploaded: body };
  }

  test(
    'of 200 MiB takes no more memory than one of 20, and is read near its end',
    { tags: 'long' },
    async () => {
      // Several, so that what a process holds once it has done this is there before the large one comes.
      const peaks: number[] = [];
      for (let n = 1; n <= 4; n++) peaks.push((await measured(`mb-20-${n}`, 20)).peakMb);
      const small = { peakMb: Math.max(...peaks) };
      const large = await measured('mb-200', 200);
      console.log(
        `peak of the API: ${small.peakMb.toFixed(0)} MB for 20 MiB, ${large.peakMb.toFixed(0)} MB for 200 MiB`,
      );
      expect(large.peakMb - small.peakMb).toBeLessThan(64);

      const { id, lines: total, bytes, tokens } = large.uploaded.output;
      expect(bytes).toBeGreaterThan(200 * 1024 * 1024);
      // Estimated from samples: lines like these have a token for two to five bytes.
      expect(bytes / tokens).toBeGreaterThan(1.5);
      expect(bytes / tokens).toBeLessThan(6);
      expect(large.uploaded.stub).toContain(`request ${total} answered`);
      expect(large.uploaded.stub.length).toBeLessThan(6_000);
      const last = (await read(id, '?tail=1')).body;
      expect(last).toContain(` request ${total} `);
      expect((await read(id, `?lines=${total - 5}`)).body).toContain(` request ${total - 5} `);
      const found = await api.call<{ matches: { line: number }[] }>(
        'GET',
        `/v1/outputs/${id}/grep?pattern=request%20${total - 3}%20&cursor=${total - 1_000}`,
      );
      expect(found.body.matches.map(({ line }) => line)).toEqual([total - 3]);
      const context = await api.context('mb-200');
      expect(context.messages).toHaveLength(3);
      expect(context.tokens.total).toBeLessThan(3_000);
    },
  );
});

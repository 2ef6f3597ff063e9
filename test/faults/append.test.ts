import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { apiOf, rowsOf, startStack, sweepNow, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upload } from '../uploads/upload-client.js';
import { bigResult, expectSound, isFull } from './fault-rig.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
});
afterAll(() => stack?.stop());

const dying = (at: string) => stack.startApi({ NODE_ENV: 'test', SPILLWAY_CRASH_AT: at });
const at = (url: string) => apiOf({ url, key: stack.key });

test.each([
  ['F1 an API killed between COMMIT and its answer: the retry is told the one seq', 'append.committed', 200],
  [
    'F2 an API killed before COMMIT: the retry is recorded, and no seq is missing',
    'append.before_commit',
    201,
  ],
])('%s', async (_name, point, status) => {
  const thread = point.replace('.', '-');
  await at(stack.url).append(thread, { role: 'user', content: 'before' });
  const doomed = await dying(point);
  const body = { messages: [{ role: 'user', content: 'kept', id: 'once' }] };
  await expect(at(doomed.url).call('POST', `/v1/threads/${thread}/messages`, body)).rejects.toThrow();
  expect((await doomed.exited).signal).toBe('SIGKILL');
  const retried = await at(stack.url).call<{ messages: { seq: number }[] }>(
    'POST',
    `/v1/threads/${thread}/messages`,
    body,
  );
  expect(retried.status).toBe(status);
  expect(retried.body.messages[0]!.seq).toBe(2);
  expect(await at(stack.url).originals(thread)).toHaveLength(2);
  await expectSound(stack);
});

test('F9 fifty posts to one thread at once get the seqs 1 to 50, each its own', async () => {
  const posts = Array.from({ length: 50 }, (_, i) =>
    at(stack.url).append('crowd', { role: 'user', content: `m${i}`, id: `m${i}` }),
  );
  const seqs = (await Promise.all(posts)).map((answer) => answer.messages[0]!.seq);
  expect([...seqs].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  const stored = await at(stack.url).originals('crowd');
  seqs.forEach((seq, i) => expect(stored[seq - 1]!.content).toBe(`m${i}`));
});

describe('F35 an API killed while it stores an output: what is referred to is there, what is left over goes', () => {
  const points = ['output.renamed', 'append.before_commit'];
  const more = ['output.staged', 'output.temporary', 'output.synced', 'output.written', 'append.committed'];
  test.each(isFull ? [...points, ...more] : points)('%s', async (point) => {
    const thread = `offload-${point.replace('.', '-')}`;
    const messages = bigResult('c');
    const doomed = await dying(point);
    await expect(
      at(doomed.url).call('POST', `/v1/threads/${thread}/messages`, { messages }),
    ).rejects.toThrow();
    await doomed.exited;
    const posted = await at(stack.url).append(thread, ...messages);
    const output = posted.messages[1]!.output!;
    const read = await at(stack.url).call<string>('GET', `/v1/outputs/${output.id}/content`);
    const content = (messages[1] as { content: string }).content;
    expect(createHash('sha256').update(read.body).digest('hex')).toBe(
      createHash('sha256').update(content).digest('hex'),
    );
    await expectSound(stack);
  });

  test.each(
    isFull ? ['output.temporary', 'output.synced', 'output.staged', 'output.renamed'] : ['output.renamed'],
  )('an upload: %s', async (point) => {
    const thread = `upload-${point.replace('.', '-')}`;
    const [asked, answered] = bigResult('c');
    await at(stack.url).append(thread, asked!);
    const { content } = answered as { content: string };
    const doomed = await dying(point);
    const to = { key: stack.key, thread };
    await expect(upload({ ...to, url: doomed.url }, content)).rejects.toThrow();
    await doomed.exited;
    const again = await upload({ ...to, url: stack.url }, content);
    await at(stack.url).append(thread, { ...answered, content: again.body.stub });
    const read = await at(stack.url).call('GET', `/v1/outputs/${again.body.output.id}/content`);
    expect(read.body).toBe(content);
    await expectSound(stack);
  });

  test('the sweeps leave nothing behind', async () => {
    // What a crash left is swept after an hour, by the database's clock: here that hour is over.
    await rowsOf(
      stack.databaseUrl,
      `UPDATE outputs SET created_at = now() - interval '2 hours' WHERE state = 'staging'`,
    );
    await sweepNow(stack);
    const files = readdirSync(stack.outputsFolder, { recursive: true, withFileTypes: true });
    const ready = await rowsOf<{ key: string }>(
      stack.databaseUrl,
      `SELECT blob_key AS key FROM outputs WHERE state = 'ready'`,
    );
    expect(files.filter((entry) => entry.isFile()).length).toBe(ready.length);
    expect(await rowsOf(stack.databaseUrl, `SELECT 1 FROM outputs WHERE state = 'staging'`)).toEqual([]);
  });
});

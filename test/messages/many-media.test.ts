import { apiOf, rowsOf } from '@spillway/testing';
import { expect, test } from 'vitest';
import { borrowedStack } from '../borrowed-stack.js';

const messages = 100;
const imagesEach = 300;

test('a message of a thread with 30,000 images is erased, and the thread forked, in the time for one statement', async () => {
  const stack = await borrowedStack('api');
  const api = apiOf(stack);
  const id = 'many-images';
  await api.append(
    id,
    ...Array.from({ length: messages }, (_, i) => ({ role: 'user', content: `Look: ${i}` })),
  );
  // What appends of as many images leave, without their 240 MB. Of each message the last image is the next one's too.
  await rowsOf(
    stack.databaseUrl,
    `WITH named AS (
       SELECT m.project_id, m.thread_uid, m.seq, n, md5('a' || k) || md5('b' || k) AS sha256
       FROM messages m JOIN threads t ON t.uid = m.thread_uid,
         generate_series(0, ${imagesEach}) n, LATERAL (SELECT m.seq * ${imagesEach} + n AS k) AS at
       WHERE t.id = '${id}'
     ), media_there AS (
       INSERT INTO media (project_id, sha256, extension, bytes)
       SELECT DISTINCT project_id, sha256, 'png', 1 FROM named
     ), uses AS (
       INSERT INTO media_uses (project_id, thread_uid, sha256) SELECT DISTINCT project_id, thread_uid, sha256 FROM named
     )
     UPDATE messages m SET media = (
       SELECT '[' || string_agg(format('{"path":["content",%s],"sha256":"%s","extension":"png","prefix":""}', n, sha256), ',') || ']'
       FROM named WHERE named.thread_uid = m.thread_uid AND named.seq = m.seq)
     FROM (SELECT DISTINCT thread_uid FROM named) of WHERE m.thread_uid = of.thread_uid`,
  );
  const uses = async (thread: string) => {
    const [row] = await rowsOf<{ count: number }>(
      stack.databaseUrl,
      `SELECT count(*)::int FROM media_uses u JOIN threads t ON t.uid = u.thread_uid WHERE t.id = '${thread}'`,
    );
    return row!.count;
  };
  expect(await uses(id)).toBe(messages * imagesEach + 1);
  expect(await api.call('POST', `/v1/threads/${id}/fork`, { id: 'fork-of-half', at: 50 })).toMatchObject({
    status: 201,
  });
  expect(await uses('fork-of-half')).toBe(50 * imagesEach + 1);
  expect((await api.call('DELETE', `/v1/threads/${id}/messages/2`)).status).toBe(204);
  // The first and the last image of the message belong to its neighbours as well.
  expect(await uses(id)).toBe(messages * imagesEach + 1 - (imagesEach - 1));
});

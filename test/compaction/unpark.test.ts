import { randomUUID } from 'node:crypto';
import { asService, changeProjectPolicy, dueThreads, unparkAll, type Store } from '@spillway/store';
import { rowsOf } from '@spillway/testing';
import { expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';

/** More than one statement unparks. */
const threads = 2_500;

let url: string;
let store: Store;
storeAlone(2, (on) => void ({ url, store } = on));

/** A project with threads that were parked for this reason an hour ago, each with a system prompt of some size. */
async function parkedProject(reason: string): Promise<string> {
  const id = randomUUID();
  await rowsOf(url, 'INSERT INTO projects (id, name) VALUES ($1, $2)', [id, id]);
  await rowsOf(
    url,
    `INSERT INTO threads (project_id, id, system, context_window, limit_tokens, trigger_tokens, live_tokens,
        needs_compaction, requested_at, park_reason)
      SELECT $1, 'parked-' || n, repeat('You are careful. ', 50), 1, 1, 1, 1, true, now() - interval '1 hour', $2
      FROM generate_series(1, ${threads}) n`,
    [id, reason],
  );
  return id;
}

const dueOf = async (projectId: string) =>
  (await asService(() => dueThreads(store.query, 2 * threads))).filter((due) => due.projectId === projectId);

test('a new policy unparks all threads of its project, and hands a few of them on without their texts', async () => {
  const projectId = await parkedProject('irreducible');
  const first = await asService(() => changeProjectPolicy(store, projectId, '{"preset":"balanced"}'));
  expect(first).toHaveLength(200);
  expect(first![0]).toMatchObject({ projectId, state: 'due', generation: 0, leaseEpoch: 0 });
  expect(first![0]).not.toHaveProperty('system');
  const due = await dueOf(projectId);
  expect(new Set(due.map(({ threadId }) => threadId)).size).toBe(threads);
  expect(Math.max(...due.slice(0, 100).map(({ waitedMs }) => waitedMs))).toBeLessThan(600_000);
});

test('a policy that a project had already changed to unparks none', async () => {
  const projectId = await parkedProject('rejected');
  const changed = await asService(() => changeProjectPolicy(store, projectId, '{}', '{"other":1}'));
  expect(changed).toBeUndefined();
  expect(await dueOf(projectId)).toEqual([]);
});

test('a worker with other settings unparks all threads that were parked for the ones before', async () => {
  const [one, other] = [await parkedProject('auth'), await parkedProject('undone')];
  expect(await asService(() => unparkAll(store.query, 'auth'))).toBe(threads);
  expect(await dueOf(one)).toHaveLength(threads);
  expect(await dueOf(other)).toEqual([]);
});

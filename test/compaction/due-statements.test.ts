import { rowsOf } from '@spillway/testing';
import {
  asService,
  dueThreads,
  dueThreadsOfEachProject,
  readBacklog,
  threadsToPrepare,
  type Query,
  type Store,
} from '@spillway/store';
import { beforeEach, expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';

let url: string;
let store: Store;
storeAlone(2, (on) => void ({ url, store } = on));
beforeEach(async () => {
  await rowsOf(url, 'TRUNCATE threads, projects CASCADE');
  await rowsOf(
    url,
    `INSERT INTO projects (id, name) SELECT gen_random_uuid(), 'first-' || n FROM generate_series(1, 2) n`,
  );
});

/** Threads 1 to `perProject` in both projects, each due for as many seconds as its id says. */
async function addDueThreads(perProject: number, needsCompaction: string, parkReason: string): Promise<void> {
  await rowsOf(
    url,
    `INSERT INTO threads (project_id, id, context_window, limit_tokens, trigger_tokens, needs_compaction, requested_at,
        prepare_at, park_reason)
     SELECT p.id, n, 1, 1, 1, ${needsCompaction}, now() - n * interval '1 s', now() - n * interval '1 s', ${parkReason}
     FROM projects p, generate_series(1, ${perProject}) n`,
  );
  await rowsOf(url, 'VACUUM ANALYZE threads');
}

test('looking for due threads costs nothing for projects that have none', async () => {
  await rowsOf(
    url,
    `WITH made AS (INSERT INTO projects (id, name) SELECT gen_random_uuid(), 'p' || n FROM generate_series(1, 2000) n RETURNING id, name)
     INSERT INTO threads (project_id, id, context_window, limit_tokens, trigger_tokens, needs_compaction, requested_at)
     SELECT id, 'of-' || name, 1, 1, 1, name IN ('p7', 'p700', 'p1999'), now() FROM made`,
  );
  await rowsOf(url, 'ANALYZE');
  const { due, scans } = await asService(() =>
    store.transaction(async (query) => {
      const due = await dueThreadsOfEachProject(query);
      const [row] = await query<{ scans: number }>(
        {
          name: 'scans',
          text: `SELECT (seq_scan + idx_scan)::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'threads'`,
        },
        [],
      );
      return { due, scans: row!.scans };
    }),
  );
  expect(due.map(({ threadId }) => threadId).sort()).toEqual(['of-p1999', 'of-p7', 'of-p700']);
  expect(scans).toBeLessThan(20);
});

/** Rows of threads that a statement read, whether by an index or not. */
const rowsRead = (run: (query: Query) => Promise<unknown>): Promise<number> =>
  asService(() =>
    store.transaction(async (query) => {
      await run(query);
      const [row] = await query<{ read: number }>(
        {
          name: 'rows-read',
          text: `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'threads'`,
        },
        [],
      );
      return row!.read;
    }),
  );

test.each([
  ['without a hint', (query: Query) => dueThreadsOfEachProject(query)],
  ['of Redis', (query: Query) => dueThreads(query, 200)],
  ['to prepare', (query: Query) => threadsToPrepare(query, 16)],
])('a look for due threads %s reads no parked one', async (_, look) => {
  await addDueThreads(5_000, 'n > 100', `CASE WHEN n % 1000 > 0 THEN 'irreducible' END`);
  expect(await rowsRead(look)).toBeLessThan(50);
});

test('a look for due threads stops at its limit', async () => {
  await addDueThreads(5_000, 'n > 100', 'NULL');
  expect(await rowsRead((query) => dueThreads(query, 100))).toBeLessThan(300);
  expect(await asService(() => dueThreads(store.query, 100))).toHaveLength(100);
});

test('the backlog counts parked threads', async () => {
  await addDueThreads(5, 'true', `CASE WHEN n > 2 THEN 'auth' END`);
  const backlog = await asService(() => readBacklog(store.query));
  expect(backlog).toMatchObject({ due: 4, parked: 6, parkedByReason: { auth: 6 } });
  expect(backlog.oldestDueMs).toBeGreaterThanOrEqual(2_000);
  expect(backlog.oldestDueMs).toBeLessThan(600_000);
});

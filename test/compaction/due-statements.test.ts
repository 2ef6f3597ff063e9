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
import { expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';

let url: string;
let store: Store;
storeAlone(2, (on) => void ({ url, store } = on));

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
  await rowsOf(url, 'TRUNCATE threads');
  await rowsOf(
    url,
    `INSERT INTO threads (project_id, id, context_window, limit_tokens, trigger_tokens, needs_compaction, requested_at,
        prepare_at, park_reason)
     SELECT p.id, n, 1, 1, 1, n > 100, now() - n * interval '1 s', now() - n * interval '1 s',
       CASE WHEN n % 1000 > 0 THEN 'irreducible' END
     FROM (SELECT id FROM projects ORDER BY id LIMIT 2) p, generate_series(1, 5000) n`,
  );
  await rowsOf(url, 'ANALYZE threads');
  expect(await rowsRead(look)).toBeLessThan(50);
});

test('a look for due threads stops at its limit', async () => {
  await rowsOf(url, `UPDATE threads SET park_reason = NULL`);
  await rowsOf(url, 'VACUUM ANALYZE threads');
  expect(await rowsRead((query) => dueThreads(query, 100))).toBeLessThan(300);
  expect(await asService(() => dueThreads(store.query, 100))).toHaveLength(100);
});

test('the backlog counts parked threads', async () => {
  await rowsOf(url, 'TRUNCATE threads');
  await rowsOf(
    url,
    `INSERT INTO threads (project_id, id, context_window, limit_tokens, trigger_tokens, needs_compaction, requested_at, park_reason)
     SELECT p.id, n, 1, 1, 1, true, now() - n * interval '1 s', CASE WHEN n > 2 THEN 'auth' END
     FROM (SELECT id FROM projects LIMIT 2) p, generate_series(1, 5) n`,
  );
  const backlog = await asService(() => readBacklog(store.query));
  expect(backlog).toMatchObject({ due: 4, parked: 6, parkedByReason: { auth: 6 } });
  expect(Math.round(backlog.oldestDueMs! / 1_000)).toBe(2);
});

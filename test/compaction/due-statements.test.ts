import { freshDatabase, rowsOf } from '@spillway/testing';
import { asService, dueThreadsOfEachProject, openStore, type Store } from '@spillway/store';
import { afterAll, beforeAll, expect, test } from 'vitest';

let url: string;
let store: Store;
beforeAll(async () => {
  url = await freshDatabase();
  store = openStore({ url, maxConnections: 2, onError: (error) => expect.unreachable(error.message) });
});
afterAll(() => store.close());

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

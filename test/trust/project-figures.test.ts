import { asService, figuresByProject, type Store } from '@spillway/store';
import { rowsOf } from '@spillway/testing';
import { expect, test } from 'vitest';
import { storeAlone } from '../store-alone.js';

let url: string;
let store: Store;
storeAlone(1, (on) => void ({ url, store } = on));

const hour = 3_600_000;

test('the figures of many projects are read without any of their threads, messages, outputs and attempts', async () => {
  await rowsOf(
    url,
    `WITH p AS (INSERT INTO projects (name) SELECT 'p' || n FROM generate_series(1, 200) n RETURNING id, name)
     INSERT INTO usage_hours (project_id, hour, messages)
     SELECT id, date_trunc('hour', now()) - h * interval '1 hour', 1 FROM p, generate_series(0, 999) h`,
  );
  await rowsOf(url, 'VACUUM ANALYZE usage_hours');
  const from = new Date(Math.floor(Date.now() / hour) * hour);
  const range = { from, to: new Date(from.getTime() + hour) };
  const { figures, read } = await asService(() =>
    store.transaction(async (query) => {
      const figures = await figuresByProject(query, range, { sort: 'messages', after: null, limit: 1_000 });
      const read = await query<{ table: string; rows: number }>(
        {
          name: 'read-rows',
          text: `SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
            FROM pg_stat_xact_user_tables WHERE seq_scan + coalesce(idx_scan, 0) > 0`,
        },
        [],
      );
      return { figures, read };
    }),
  );
  expect(figures.filter(({ messages }) => messages === 1)).toHaveLength(200);
  const tables = read.map(({ table }) => table);
  for (const table of ['threads', 'messages', 'outputs', 'compaction_attempts'])
    expect(tables).not.toContain(table);
  // One hour of a thousand.
  expect(read.find(({ table }) => table === 'usage_hours')!.rows).toBeLessThan(1_000);
});

import { rowsOf } from '../stack/database.js';
import { until } from '../until.js';

/** Waits until no thread is due, running or waiting for a retry. */
export const untilQuiet = (databaseUrl: string, withinMs: number): Promise<unknown> =>
  until(
    'compaction is quiet',
    async () => {
      const [row] = await rowsOf<{ busy: number }>(
        databaseUrl,
        `SELECT count(*)::int AS busy FROM threads
          WHERE deleted_at IS NULL AND (lease_until > now() OR (needs_compaction AND park_reason IS NULL))`,
      );
      return row!.busy === 0;
    },
    withinMs,
  );

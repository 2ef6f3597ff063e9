import type { Query } from '../../connection/store.js';

/**
 * Adds up the rows of `thread_counts` of each project that has many, so that the number of its threads is read from few
 * rows. Rows that another sweep folds are skipped, so the sum stays the same whoever runs this.
 */
export const foldThreadCounts = (query: Query) =>
  query(
    {
      name: 'fold-thread-counts',
      text: `WITH gone AS (
          DELETE FROM thread_counts c USING (
            SELECT project_id, id FROM thread_counts
            WHERE project_id IN (SELECT project_id FROM thread_counts GROUP BY 1 HAVING count(*) > 10)
            FOR UPDATE SKIP LOCKED) many
          WHERE c.project_id = many.project_id AND c.id = many.id
          RETURNING c.project_id, c.threads)
        INSERT INTO thread_counts (project_id, threads) SELECT project_id, sum(threads) FROM gone GROUP BY 1`,
    },
    [],
  );

/**
 * The condition of the index `threads_unsettled`: thread `t` is due, running, backing off, parked or waits for an
 * approval.
 */
const isUnsettled = (t: string): string => `(${t}.needs_compaction OR ${t}.park_reason IS NOT NULL)`;

/** The order of that index among the threads of a project that are not parked: the longest waiting first. */
export const longestWaiting = (t: string): string => `${t}.park_reason, ${t}.requested_at`;

/** The order of the whole index. Postgres would read another one for a shorter order, and look for such threads. */
const indexed = (t: string): string => `${t}.project_id, ${longestWaiting(t)}`;

/**
 * Projects with such threads, as a recursive CTE `waiting`. Jumps over the index from one to the next, so idle projects
 * cost nothing. Its last row is null.
 */
export const waitingProjects = `waiting AS (
          (SELECT t.project_id FROM threads t WHERE ${isUnsettled('t')} ORDER BY ${indexed('t')} LIMIT 1)
          UNION ALL
          SELECT (SELECT t.project_id FROM threads t WHERE ${isUnsettled('t')} AND t.project_id > w.project_id
            ORDER BY ${indexed('t')} LIMIT 1) FROM waiting w WHERE w.project_id IS NOT NULL
        )`;

import { isPaused } from '../../access/compaction-pause.js';
import type { Query } from '../../connection/store.js';
import { awaitsApproval } from './decide-proposal.js';
import { longestWaiting, waitingProjects } from './unsettled.js';

export interface DueThread {
  projectId: string;
  threadId: string;
  generation: number;
  leaseEpoch: number;
  /** How long it has been due. */
  waitedMs: number;
}

/** The condition under which a worker may take thread `t`, if it is due. */
const isFree = (t: string): string => `${t}.deleted_at IS NULL AND ${t}.park_reason IS NULL
  AND (${t}.lease_until IS NULL OR ${t}.lease_until <= now())
  AND (${t}.next_attempt_at IS NULL OR ${t}.next_attempt_at <= now()) AND NOT ${awaitsApproval(t)}`;
const mayBeClaimed = `t.needs_compaction AND ${isFree('t')}`;
const columns = `project_id AS "projectId", id AS "threadId", generation, lease_epoch AS "leaseEpoch",
  (extract(epoch FROM now() - requested_at) * 1000)::float8 AS "waitedMs"`;

/**
 * Threads of each project that a worker may claim, the longest waiting first, as a table `due`. Reads through the index
 * of unsettled threads, no parked one, and none of a project whose compaction is paused.
 */
const dueOfEach = (limit: string): string => `FROM waiting w CROSS JOIN LATERAL (
          SELECT ${columns}, requested_at FROM threads t WHERE t.project_id = w.project_id AND ${mayBeClaimed}
            AND NOT ${isPaused('w.project_id')}
          ORDER BY ${longestWaiting('t')} LIMIT ${limit}) due`;

/**
 * Claimable threads, round-robin between projects so that none waits behind another's backlog. Reads at most `limit`
 * of a project.
 */
export const dueThreads = (query: Query, limit: number) =>
  query<DueThread>(
    {
      name: 'due-threads',
      text: `WITH RECURSIVE ${waitingProjects}
        SELECT "projectId", "threadId", generation, "leaseEpoch", "waitedMs" FROM (
          SELECT due.*, row_number() OVER (PARTITION BY "projectId" ORDER BY requested_at) AS turn
          ${dueOfEach('$1')}
        ) ordered ORDER BY turn, "waitedMs" DESC LIMIT $1`,
    },
    [limit],
  );

/** The longest-waiting threads of each project. */
export const dueThreadsOfEachProject = (query: Query) =>
  query<DueThread>(
    {
      name: 'due-threads-of-each-project',
      text: `WITH RECURSIVE ${waitingProjects}
        SELECT "projectId", "threadId", generation, "leaseEpoch", "waitedMs" ${dueOfEach('16')}`,
    },
    [],
  );

/** Threads whose next fold may be made before they are due, the longest waiting first. */
export const threadsToPrepare = (query: Query, limit: number) =>
  query<DueThread>(
    {
      name: 'threads-to-prepare',
      text: `SELECT project_id AS "projectId", id AS "threadId", generation, lease_epoch AS "leaseEpoch",
          (extract(epoch FROM now() - prepare_at) * 1000)::float8 AS "waitedMs"
        FROM threads t WHERE prepare_at <= now() AND NOT needs_compaction AND ${isFree('t')}
          AND NOT ${isPaused('t.project_id')} ORDER BY prepare_at LIMIT $1`,
    },
    [limit],
  );

import { asOperator } from '../connection/scope.js';
import type { Query } from '../connection/store.js';
import type { ProjectRow } from './projects.js';

/**
 * Marks a project as being erased, revokes its keys and ends its sessions, in one statement, so that nobody gets in
 * again. Its settings get a new version: an append that knows the older one writes nothing. Its name becomes free, and
 * so do the hashes of its keys, which are unique: a start makes the project `default` again with the same bootstrap key
 * before the sweep has deleted these rows. Each gets its id as its hash, which is shorter than any hash. Undefined when
 * there is no such project; one of another name is returned as it is. Safe to repeat, also at the same time.
 */
export const markProjectErased = (
  query: Query,
  { id, name }: { id: string; name: string },
): Promise<ProjectRow | undefined> =>
  asOperator(async () => {
    const rows = await query<ProjectRow>(
      {
        name: 'mark-project-erased',
        text: `
WITH erased AS (
  UPDATE projects SET erased_at = coalesce(erased_at, now()),
    settings_version = settings_version + (erased_at IS NULL)::int,
    name = CASE WHEN erased_at IS NULL THEN name || ' (erased ' || id || ')' ELSE name END
  WHERE id = $1 AND (name = $2 OR erased_at IS NOT NULL) RETURNING id, name, created_at, erased_at, suspended_at,
    compaction_paused_at
), revoked AS (
  UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, now()), hash = uuid_send(k.id)
  FROM erased WHERE k.project_id = erased.id AND (k.revoked_at IS NULL OR k.hash <> uuid_send(k.id))
), ended AS (
  UPDATE sessions s SET ended_at = now() FROM erased WHERE s.project_id = erased.id AND s.ended_at IS NULL
), found AS (
  SELECT * FROM erased
  UNION ALL
  SELECT id, name, created_at, erased_at, suspended_at, compaction_paused_at FROM projects
  WHERE id = $1 AND NOT EXISTS (SELECT FROM erased)
)
SELECT id, name, created_at AS "createdAt", erased_at AS "erasedAt", suspended_at AS "suspendedAt",
  compaction_paused_at AS "compactionPausedAt", 0 AS "adminKeys"
FROM found`,
      },
      [id, name],
    );
    return rows[0];
  });

/** Projects that are being erased. `isOver`: that was asked for more than `graceMs` ago. */
export const projectsToErase = (query: Query, graceMs: number) =>
  query<{ id: string; isOver: boolean }>(
    {
      name: 'projects-to-erase',
      text: `SELECT id, erased_at < now() - $1::int * interval '1 ms' AS "isOver" FROM projects
        WHERE erased_at IS NOT NULL ORDER BY erased_at`,
    },
    [graceMs],
  );

/**
 * The tables with rows of projects. Threads go first: without its thread no message is read and no summary is put in
 * place. The audit log stays: the service may add to it and not delete.
 */
export const tablesOfProjects = [
  'threads',
  'thread_counts',
  'messages',
  'summaries',
  'prepared_summaries',
  'served_contexts',
  'served_prompts',
  'history_ends',
  'instructions',
  'rewinds',
  'compaction_attempts',
  'output_uses',
  'outputs',
  'output_bytes',
  // The end of a use marks its medium, which is gone then.
  'media',
  'media_uses',
  'webhook_deliveries',
  'webhooks',
  'events',
  'usage_hours',
  'key_usage_days',
  'usage_writers',
  'sweeps',
  'upstreams',
  'model_overrides',
  'thread_tokens',
  'sessions',
  'api_keys',
] as const;

/** Maximum of rows that a statement deletes, to bound its locks and its time. */
const batch = 20_000;

/** Deletes some of a project's rows of a table, and returns how many. The caller goes on until it is 0. */
export async function deleteRowsOfProject(
  query: Query,
  table: (typeof tablesOfProjects)[number],
  projectId: string,
): Promise<number> {
  const rows = await query<{ deleted: number }>(
    {
      name: `delete-${table}-of-project`,
      text: `WITH gone AS (
          DELETE FROM ${table} WHERE project_id = $1
            AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT ${batch}))
          RETURNING 1)
        SELECT count(*)::int AS deleted FROM gone`,
    },
    [projectId],
  );
  return rows[0]!.deleted;
}

/** Deletes the project itself. */
export const forgetProject = (query: Query, projectId: string) =>
  query(
    {
      name: 'forget-project',
      text: `DELETE FROM projects WHERE id = $1 AND erased_at IS NOT NULL`,
    },
    [projectId],
  );

import { asOperator, asService } from '../connection/scope.js';
import type { Query, Store } from '../connection/store.js';
import { insertKey, type KeyRow, type NewKey } from './api-keys.js';

export interface ProjectRow {
  id: string;
  name: string;
  createdAt: Date;
  /** Keys with the scope admin that work. */
  adminKeys: number;
  /** When its erasure was asked for; null unless it is being erased. */
  erasedAt: Date | null;
  /** Since when the operator refuses its requests; null while they are served. */
  suspendedAt: Date | null;
  /** Since when the operator lets no worker compact its threads; null while workers do. */
  compactionPausedAt: Date | null;
}

/** The fields of a project `p`, all but the number of its admin keys. */
const projectFields = `p.id, p.name, p.created_at AS "createdAt", p.erased_at AS "erasedAt",
  p.suspended_at AS "suspendedAt", p.compaction_paused_at AS "compactionPausedAt"`;

/** In the order of their names. */
export const listProjects = (query: Query): Promise<ProjectRow[]> =>
  asOperator(() =>
    query<ProjectRow>(
      {
        name: 'list-projects',
        text: `
SELECT ${projectFields}, coalesce(k.admins, 0) AS "adminKeys"
FROM projects p
LEFT JOIN (
  SELECT project_id, count(*)::int AS admins FROM api_keys
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND 'admin' = ANY(scopes)
  GROUP BY project_id
) k ON k.project_id = p.id ORDER BY p.name`,
      },
      [],
    ),
  );

/** Creates a project with its first key, both or neither. Undefined when there is one of this name. */
export const insertProject = (
  query: Query,
  name: string,
  key: Pick<NewKey, 'name' | 'prefix' | 'hash' | 'scopes'>,
): Promise<ProjectRow | undefined> =>
  asOperator(async () => {
    const rows = await query<ProjectRow>(
      {
        name: 'insert-project',
        text: `
WITH made AS (
  INSERT INTO projects (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id, name, created_at
), key AS (
  INSERT INTO api_keys (project_id, name, prefix, hash, scopes) SELECT id, $2, $3, $4, $5 FROM made
)
SELECT id, name, created_at AS "createdAt", NULL AS "erasedAt", NULL AS "suspendedAt",
  NULL AS "compactionPausedAt", 1 AS "adminKeys" FROM made`,
      },
      [name, key.name, key.prefix, key.hash, key.scopes],
    );
    return rows[0];
  });

/** What the operator stops for a project and lets go on: the columns that say since when. $2: whether it stops. */
const stops = {
  requests: 'suspended_at = CASE WHEN $2::boolean THEN coalesce(p.suspended_at, now()) END',
  compaction: `compaction_paused_at = CASE WHEN $2::boolean THEN coalesce(p.compaction_paused_at, now()) END,
  compaction_resumed_at = CASE WHEN NOT $2::boolean AND p.compaction_paused_at IS NOT NULL THEN now()
    ELSE p.compaction_resumed_at END`,
};

/**
 * Stops the requests or the compaction of a project, or lets them go on, and returns the project as it is then. The time
 * of the first stop is kept. Safe to repeat. Undefined when there is no such project, or it is being erased.
 */
export const setProjectStopped = (
  query: Query,
  projectId: string,
  what: keyof typeof stops,
  isStopped: boolean,
): Promise<ProjectRow | undefined> =>
  asOperator(async () => {
    const rows = await query<ProjectRow>(
      {
        name: `stop-${what}-of-project`,
        text: `
UPDATE projects p SET ${stops[what]}
WHERE p.id = $1 AND p.erased_at IS NULL
RETURNING ${projectFields}, (SELECT count(*)::int FROM api_keys k WHERE k.project_id = p.id AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > now()) AND 'admin' = ANY(k.scopes)) AS "adminKeys"`,
      },
      [projectId, isStopped],
    );
    return rows[0];
  });

/** Creates a key of a project as the operator. Undefined when there is no such project, or it is being erased. */
export const insertKeyOfProject = (
  { prisma }: Store,
  projectId: string,
  key: NewKey,
): Promise<KeyRow | undefined> =>
  asOperator(async () => {
    const project = await prisma.project.findFirst({
      where: { id: projectId, erasedAt: null },
      select: { id: true },
    });
    return project === null ? undefined : insertKey({ prisma }, projectId, key);
  });

/** The id of the project of this name. */
export const findProjectId = ({ prisma }: Store, name: string): Promise<string | undefined> =>
  asService(async () => (await prisma.project.findFirst({ where: { name }, select: { id: true } }))?.id);

/** Without those that are being erased. */
export const listProjectIds = async ({ prisma }: Store): Promise<string[]> =>
  (
    await prisma.project.findMany({
      where: { erasedAt: null },
      select: { id: true },
      orderBy: { id: 'asc' },
    })
  ).map((project) => project.id);

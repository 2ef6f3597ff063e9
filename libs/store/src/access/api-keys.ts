import { asService } from '../connection/scope.js';
import type { Query, Store } from '../connection/store.js';

/** The owner of a key, a session or a thread token. */
export interface CallerRow {
  projectId: string;
  /** The key, or the key that started the session or issued the token. */
  keyId: string;
  sessionId: string | null;
  /** A token is valid for one thread alone. */
  token: { id: string; threadId: string } | null;
  scopes: string[];
  /** The key bounds what model calls of agents take in a day. */
  hasChatBudget: boolean;
}

/** A caller that was looked up. */
export interface FoundCaller extends CallerRow {
  /** The operator refuses the requests of its project. */
  isSuspended: boolean;
}

/** Whether a key, by its alias, has a budget for the model calls of agents. */
export const hasChatBudget = (key: string): string =>
  `${key}.max_chat_tokens_per_day IS NOT NULL AS "hasChatBudget"`;

/** Whether the project with this id is suspended. */
export const isSuspendedProject = (id: string): string =>
  `EXISTS (SELECT FROM projects p WHERE p.id = ${id} AND p.suspended_at IS NOT NULL)`;

/**
 * The key of this hash. `isLive` is false for a revoked or expired one, and for one that was made while its project was
 * being erased: the erasure did not see it.
 */
export const findKey = (
  query: Query,
  hash: Buffer,
): Promise<(FoundCaller & { isLive: boolean }) | undefined> =>
  asService(async () => {
    const rows = await query<FoundCaller & { isLive: boolean }>(
      {
        name: 'find-key',
        text: `SELECT project_id AS "projectId", id AS "keyId", NULL AS "sessionId", NULL AS token, scopes,
            revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
              AND NOT EXISTS (SELECT FROM projects p WHERE p.id = k.project_id AND p.erased_at IS NOT NULL) AS "isLive",
            ${isSuspendedProject('k.project_id')} AS "isSuspended", ${hasChatBudget('k')}
          FROM api_keys k WHERE hash = $1`,
      },
      [hash],
    );
    return rows[0];
  });

/** Records that a key was used, at most once a minute, however many processes see its requests. */
export const touchKey = (query: Query, { projectId, keyId }: CallerRow) =>
  asService(() =>
    query(
      {
        name: 'touch-key',
        text: `UPDATE api_keys SET last_used_at = now() WHERE project_id = $1 AND id = $2
          AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      },
      [projectId, keyId],
    ),
  );

/** The key and the project of a caller. Undefined when either is gone. */
export async function describeCaller({ prisma }: Store, { projectId, keyId }: CallerRow) {
  const [project, key] = await Promise.all([
    prisma.project.findFirst({ where: { id: projectId }, select: { id: true, name: true } }),
    prisma.apiKey.findFirst({
      where: { projectId, id: keyId },
      select: { id: true, name: true, prefix: true },
    }),
  ]);
  return project && key ? { project, key } : undefined;
}

export interface NewKey {
  name: string;
  prefix: string;
  hash: Buffer;
  scopes: string[];
  expiresAt: Date | null;
  /** Input and output tokens of model calls of agents; null: any number. */
  maxChatTokensPerDay: number | null;
}

/**
 * Ensures that a project of this name exists with this key, and revokes the previous key of the same purpose. Safe to
 * run from many processes. `isLive` is false when the key was revoked or belongs to another project: then nothing is
 * revoked.
 */
export const ensureBootstrapKey = (
  { prisma, query }: Store,
  { project, ...key }: Pick<NewKey, 'name' | 'prefix' | 'hash'> & { project: string },
): Promise<{ isLive: boolean; replaced: number }> =>
  asService(async () => {
    const { id: projectId } = await prisma.project.upsert({
      where: { name: project },
      create: { name: project },
      update: {},
    });
    const [row] = await query<{ isLive: boolean; replaced: number }>(
      {
        name: 'ensure-bootstrap-key',
        text: `
WITH own AS (
  INSERT INTO api_keys AS k (project_id, name, prefix, hash, scopes, is_bootstrap) VALUES ($1, $2, $3, $4, '{admin}', true)
  ON CONFLICT (hash) DO UPDATE SET is_bootstrap = true WHERE k.project_id = $1
  RETURNING id, revoked_at IS NULL AS live
), replaced AS (
  UPDATE api_keys k SET revoked_at = now() FROM own
  WHERE own.live AND k.project_id = $1 AND k.is_bootstrap AND k.id <> own.id AND k.revoked_at IS NULL
  RETURNING k.id
), ended AS (
  UPDATE sessions s SET ended_at = now() FROM replaced
  WHERE s.project_id = $1 AND s.key_id = replaced.id AND s.ended_at IS NULL
)
SELECT coalesce((SELECT live FROM own), false) AS "isLive", (SELECT count(*)::int FROM replaced) AS replaced`,
      },
      [projectId, key.name, key.prefix, key.hash],
    );
    return row!;
  });

export const insertKey = ({ prisma }: Pick<Store, 'prisma'>, projectId: string, key: NewKey) =>
  prisma.apiKey.create({ data: { ...key, projectId, hash: new Uint8Array(key.hash) } });

export type KeyRow = Awaited<ReturnType<typeof insertKey>>;

/** Changes the fields that are given. Undefined when the project has no such key. */
export async function updateKey(
  { prisma }: Pick<Store, 'prisma'>,
  projectId: string,
  id: string,
  data: Partial<Pick<NewKey, 'name' | 'maxChatTokensPerDay'>>,
): Promise<KeyRow | undefined> {
  const [row] = await prisma.apiKey.updateManyAndReturn({ where: { projectId, id }, data });
  return row;
}

/** Newest first, revoked ones too; those after one of them. */
export const listKeys = (
  { prisma }: Store,
  projectId: string,
  { after, limit }: { after: { createdAt: Date; id: string } | null; limit: number },
): Promise<KeyRow[]> => {
  const isAfter = after && {
    OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }],
  };
  return prisma.apiKey.findMany({
    where: { projectId, ...isAfter },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
};

/**
 * Revokes a key and ends its sessions, in one statement. The last admin key is kept: then `revoked` is false. Undefined
 * when the project has no such key.
 */
export async function revokeKey(
  query: Query,
  projectId: string,
  id: string,
): Promise<{ revoked: boolean } | undefined> {
  const rows = await query<{ revoked: boolean }>(
    {
      name: 'revoke-key',
      text: `
WITH admins AS (
  SELECT id FROM api_keys WHERE project_id = $1 AND revoked_at IS NULL AND 'admin' = ANY(scopes)
    AND (expires_at IS NULL OR expires_at > now()) FOR UPDATE
), revoked AS (
  UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, now()) WHERE k.project_id = $1 AND k.id = $2
    AND NOT (k.id IN (SELECT id FROM admins) AND (SELECT count(*) FROM admins) = 1)
  RETURNING k.id
), ended AS (
  UPDATE sessions s SET ended_at = now() FROM revoked
  WHERE s.project_id = $1 AND s.key_id = revoked.id AND s.ended_at IS NULL
)
SELECT EXISTS (SELECT FROM revoked) AS revoked FROM api_keys WHERE project_id = $1 AND id = $2`,
    },
    [projectId, id],
  );
  return rows[0];
}

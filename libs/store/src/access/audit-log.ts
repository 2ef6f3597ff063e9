import { currentScope } from '../connection/scope.js';
import type { Query, Store } from '../connection/store.js';

/** Records a read or a refusal. Changes are recorded by the database itself, in the statement that makes them. */
export const audit = (
  query: Query,
  {
    projectId,
    action,
    target,
    detail,
  }: { projectId: string; action: string; target: string; detail?: object },
) =>
  query(
    {
      name: 'audit',
      text: `INSERT INTO audit_log (project_id, actor, action, target, detail) VALUES ($1, $2, $3, $4, $5)`,
    },
    [projectId, currentScope().actor, action, target, detail === undefined ? null : JSON.stringify(detail)],
  );

export interface AuditFilter {
  /** Entries of a key include those of its sessions and thread tokens. */
  actor?: string | undefined;
  /** Without reads of content, or those alone. */
  kind?: 'changes' | 'reads' | undefined;
  action?: string | undefined;
  /** Part of the target. */
  target?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The action of a read of content. */
const read = 'content.read';

/** Newest first, below `before`. */
export async function listAudit(
  store: Store,
  projectId: string,
  { actor, kind, action, target, from, to }: AuditFilter,
  before: bigint,
  limit: number,
) {
  return store.prisma.auditEntry.findMany({
    where: {
      projectId,
      id: { lt: before },
      ...(actor === undefined ? {} : { actor: { in: await actorsOf(store, projectId, actor) } }),
      ...(action === undefined ? {} : { action }),
      ...(kind === undefined ? {} : { AND: kind === 'reads' ? { action: read } : { NOT: { action: read } } }),
      ...(target === undefined ? {} : { target: { contains: target } }),
      at: { ...(from && { gte: from }), ...(to && { lt: to }) },
    },
    orderBy: { id: 'desc' },
    take: limit,
  });
}

export type AuditRow = Awaited<ReturnType<typeof listAudit>>[number];

/** More sessions or tokens than a key is likely to have, and few enough for one statement. */
const maxListed = 10_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idsOf = (actors: readonly string[], kind: 'key' | 'session' | 'token'): string[] =>
  actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1));

async function actorsOf({ prisma }: Store, projectId: string, actor: string): Promise<string[]> {
  const [keyId] = idsOf([actor], 'key');
  if (!keyId || !uuid.test(keyId)) return [actor];
  const newest = {
    where: { projectId, keyId },
    select: { id: true },
    orderBy: { createdAt: 'desc' },
    take: maxListed,
  } as const;
  const [sessions, tokens] = await Promise.all([
    prisma.session.findMany(newest),
    prisma.threadToken.findMany(newest),
  ]);
  return [actor, ...sessions.map(({ id }) => `session:${id}`), ...tokens.map(({ id }) => `token:${id}`)];
}

/** Names of keys by actor: a session and a thread token have their key's. */
export async function actorNames(
  { prisma }: Store,
  projectId: string,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const among = (kind: 'session' | 'token') => ({
    where: { projectId, id: { in: idsOf(actors, kind).filter((id) => uuid.test(id)) } },
    select: { id: true, keyId: true },
  });
  const [sessions, tokens] = await Promise.all([
    prisma.session.findMany(among('session')),
    prisma.threadToken.findMany(among('token')),
  ]);
  const issued = [
    ...sessions.map(({ id, keyId }) => ({ actor: `session:${id}`, keyId })),
    ...tokens.map(({ id, keyId }) => ({ actor: `token:${id}`, keyId })),
  ];
  const keyIds = [...idsOf(actors, 'key').filter((id) => uuid.test(id)), ...issued.map((one) => one.keyId)];
  const keys = await prisma.apiKey.findMany({
    where: { projectId, id: { in: keyIds } },
    select: { id: true, name: true },
  });
  const nameOf = new Map(keys.map(({ id, name }) => [id, name]));
  const names = new Map<string, string>();
  for (const { id, name } of keys) names.set(`key:${id}`, name);
  for (const { actor, keyId } of issued) {
    const name = nameOf.get(keyId);
    if (name !== undefined) names.set(actor, name);
  }
  return names;
}

/** Clients' ids of threads by the internal ids that triggers write. Includes erased threads. */
export async function threadIdsByUid(
  { prisma }: Store,
  projectId: string,
  uids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await prisma.thread.findMany({
    where: { projectId, uid: { in: uids.filter((uid) => uuid.test(uid)) } },
    select: { uid: true, id: true },
  });
  return new Map(rows.map(({ uid, id }) => [uid, id]));
}

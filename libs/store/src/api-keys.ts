import type { Query, Store } from './store.js';

export interface KeyRow {
  projectId: string;
  id: string;
  scopes: string[];
}

/** The live key of this hash. Revoked keys are not found. */
export async function findKey(query: Query, hash: Buffer): Promise<KeyRow | undefined> {
  const rows = await query<KeyRow>(
    {
      name: 'find-key',
      text: `SELECT project_id AS "projectId", id, scopes FROM api_keys WHERE hash = $1 AND revoked_at IS NULL`,
    },
    [hash],
  );
  return rows[0];
}

/** Makes sure that a project of this name exists and that this key opens it. Safe to run from many processes. */
export async function ensureKey(
  { prisma }: Store,
  key: { project: string; name: string; prefix: string; hash: Buffer; scopes: string[] },
): Promise<void> {
  const project = await prisma.project.upsert({
    where: { name: key.project },
    create: { name: key.project },
    update: {},
  });
  const hash = new Uint8Array(key.hash);
  await prisma.apiKey.upsert({
    where: { hash },
    create: { projectId: project.id, name: key.name, prefix: key.prefix, hash, scopes: key.scopes },
    update: {},
  });
}

/** True when no key exists at all: a first start. */
export const hasNoKeys = async ({ prisma }: Store): Promise<boolean> => (await prisma.apiKey.count()) === 0;

import { asService } from './connection/scope.js';
import type { Store } from './connection/store.js';
import { databaseTime } from './connection/database-time.js';

export type UpstreamRow = Awaited<ReturnType<Store['prisma']['upstream']['create']>>;

/** By provider. */
export const listUpstreams = ({ prisma }: Store, projectId: string): Promise<UpstreamRow[]> =>
  prisma.upstream.findMany({ where: { projectId }, orderBy: { provider: 'asc' } });

export const findUpstream = (
  { prisma }: Store,
  projectId: string,
  provider: string,
): Promise<UpstreamRow | null> => prisma.upstream.findFirst({ where: { projectId, provider } });

export type NewUpstream = Pick<UpstreamRow, 'projectId' | 'provider' | 'baseUrl' | 'key' | 'models'>;

/** Creates or replaces the upstream of a project for a provider's API. */
export const putUpstream = async (
  { prisma, query }: Store,
  { projectId, provider, ...values }: NewUpstream,
): Promise<UpstreamRow> =>
  prisma.upstream.upsert({
    where: { projectId_provider: { projectId, provider } },
    create: { projectId, provider, ...values },
    update: { ...values, changedAt: new Date(await databaseTime(query)) },
  });

/**
 * Creates or replaces the upstream and keeps the key that is stored at that moment. Undefined when it would send that key
 * to another address.
 */
export async function putUpstreamWithoutKey(
  { prisma, query }: Store,
  { projectId, provider, baseUrl, models }: Omit<NewUpstream, 'key'>,
): Promise<UpstreamRow | undefined> {
  const mayKeep = { OR: [{ key: null }, { baseUrl }] };
  for (;;) {
    const [changed] = await prisma.upstream.updateManyAndReturn({
      where: { projectId, provider, ...mayKeep },
      data: { baseUrl, models, changedAt: new Date(await databaseTime(query)) },
    });
    if (changed) return changed;
    const data = { projectId, provider, baseUrl, models, key: null };
    const [created] = await prisma.upstream.createManyAndReturn({ data, skipDuplicates: true });
    if (created) return created;
    // It has a key for another address, unless somebody changed or removed it between the two statements.
    const known = await prisma.upstream.findFirst({ where: { projectId, provider } });
    if (known && known.key !== null && known.baseUrl !== baseUrl) return undefined;
  }
}

/** False when there is none. */
export const deleteUpstream = async (
  { prisma }: Store,
  projectId: string,
  provider: string,
): Promise<boolean> => (await prisma.upstream.deleteMany({ where: { projectId, provider } })).count === 1;

/** All upstreams of all projects, for the service itself. */
export const allUpstreams = ({ prisma }: Store): Promise<UpstreamRow[]> =>
  asService(async () => await prisma.upstream.findMany());

/** Replaces the stored key of an upstream if it did not change meanwhile. */
export const replaceUpstreamKey = (
  { prisma }: Store,
  { projectId, provider, key }: Pick<UpstreamRow, 'projectId' | 'provider' | 'key'>,
  sealed: string,
): Promise<number> =>
  asService(async () =>
    prisma.upstream
      .updateMany({ where: { projectId, provider, key }, data: { key: sealed } })
      .then(({ count }) => count),
  );

import { projectPrefix, type BlobEntry } from '@spillway/blobs';
import { done, type Outcome } from '@spillway/jobs';
import { asProject, asService, databaseTime, listProjectIds, orphanKeys, recordSweep } from '@spillway/store';
import { countSweep } from './count-sweep.js';
import { Removals } from './removals.js';
import type { Runtime } from '../runtime.js';

/** Blobs looked up in one statement. */
const batch = 1_000;
/** Maximum removed in one sweep; the next one continues. */
const maxRemoved = 1_000;
/** When more than this share of the stored blobs are orphans, the database is suspect and not the blobs. */
const maxOrphanShare = 0.05;
/** So few orphans are removed whatever their share is: a small project has a few from one crash. */
const removableAnyway = 20;

/**
 * The reverse of the output sweep: finds blobs without a row, which a crash between a write and its commit leaves, and
 * removes old ones. Removes nothing when much of the store looks orphaned: that is what a database restored from an
 * older backup looks like, and its blobs may be the only copy.
 */
export async function sweepStorage(rt: Runtime): Promise<Outcome> {
  let removed = 0;
  const before = (await asService(() => sweepTime(rt))) - rt.orphanMs;
  await rt.blobs.removeUnfinished(new Date(before));
  for (const projectId of await asService(() => listProjectIds(rt.store))) {
    if (rt.draining.aborted) break;
    try {
      removed += await asProject(projectId, 'service', () => sweepProject(rt, projectId, before));
    } catch (error) {
      countSweep(rt, 'storage', { outcome: 'failed', blobs: 0, bytes: 0 });
      rt.log.error({ err: error, projectId }, 'the storage of a project could not be swept');
    }
  }
  return done({ removed });
}

/**
 * The time by which the age of a blob is judged. Blobs are stamped by the storage, or by the host that writes a file.
 * Of the clocks of the database and of this host, the earlier one counts: a clock that is ahead makes blobs look old
 * that were just written, and a host whose clock is behind stamps its files so.
 */
const sweepTime = async (rt: Runtime): Promise<number> =>
  Math.min(Date.now(), await databaseTime(rt.store.query));

async function sweepProject(rt: Runtime, projectId: string, before: number): Promise<number> {
  const started = performance.now();
  const { total, orphans } = await findOrphans(rt, projectId, before);
  if (orphans.length === 0) {
    countSweep(rt, 'storage', { outcome: 'done', blobs: 0, bytes: 0 });
    return 0;
  }
  const refused =
    orphans.length > removableAnyway && orphans.length > total * maxOrphanShare
      ? `${orphans.length} of ${total} blobs have no row. Is this the right database?`
      : null;
  const removable = refused === null ? orphans.slice(0, maxRemoved) : [];
  const removals = new Removals(rt.log.child({ projectId }));
  const { removed } = await removals.each(removable, ({ key }) => rt.blobs.remove(key));
  if (refused !== null) rt.log.error({ projectId, orphans: orphans.length, total }, refused);
  const bytes = removed.reduce((sum, blob) => sum + blob.bytes, 0);
  const outcome = refused !== null ? 'refused' : removals.failed > 0 ? 'failed' : 'done';
  countSweep(rt, 'storage', { outcome, blobs: removed.length, bytes });
  await recordSweep(rt.store.query, {
    projectId,
    durationMs: Math.round(performance.now() - started),
    expired: 0,
    overBudget: 0,
    deleted: 0,
    bytesFreed: BigInt(bytes),
    orphans: removed.length,
    refused,
    failed: removals.failed,
    error: removals.error,
  });
  return removed.length;
}

async function findOrphans(
  rt: Runtime,
  projectId: string,
  before: number,
): Promise<{ total: number; orphans: BlobEntry[] }> {
  const orphans: BlobEntry[] = [];
  let total = 0;
  let blobs: BlobEntry[] = [];
  const look = async () => {
    if (blobs.length === 0) return;
    const found = new Set(
      await orphanKeys(
        rt.store.query,
        projectId,
        blobs.map((blob) => blob.key),
      ),
    );
    for (const blob of blobs) if (found.has(blob.key)) orphans.push(blob);
    blobs = [];
  };
  for await (const blob of rt.blobs.list(projectPrefix(projectId))) {
    total++;
    if (blob.modifiedAt.getTime() > before) continue;
    if (blobs.push(blob) === batch) await look();
  }
  await look();
  return { total, orphans };
}

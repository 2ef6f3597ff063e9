import { threadPrefix } from '@spillway/blobs';
import { done, type Outcome } from '@spillway/jobs';
import {
  abandonStaging,
  asProject,
  asService,
  buryOutputs,
  deletableOutputs,
  erasedThreads,
  expireOutputs,
  expireOverBudget,
  foldOutputBytes,
  foldThreadCounts,
  forgetLost,
  keysOfOthers,
  markFilesRemoved,
  postponeFiles,
  postponeOutputs,
  recordSweep,
  type SweptBlob,
} from '@spillway/store';
import { eraseProjects } from '../access/erase-projects.js';
import { forgetOld, forgetOldEvents } from './forget-old.js';
import { noThread } from '../policies/settings.js';
import { sweepMedia } from '../messages/media/sweep-media.js';
import { countIdle, countSweep } from './count-sweep.js';
import { findProjectsToSweep } from './find-projects-to-sweep.js';
import { Removals } from './removals.js';
import { reached } from '../crash-point.js';
import type { Runtime } from '../runtime.js';

/**
 * Dawn's rule, outside the request path: removes expired outputs, then the oldest until the project is within its byte
 * budget; pinned ones never. Marked outputs are removed after their grace period: first the bytes, then the row. Visits
 * the projects that have any of this, which one statement finds. A failed removal is retried later and stops neither
 * other outputs nor other projects.
 */
export async function sweepOutputs(rt: Runtime): Promise<Outcome> {
  let deleted = 0;
  let failed = 0;
  await asService(() => eraseProjects(rt));
  await asService(() => forgetOldEvents(rt));
  await asService(() => foldThreadCounts(rt.store.query));
  const { ids, idle } = await asService(() => findProjectsToSweep(rt));
  countIdle(rt, idle);
  for (const projectId of ids) {
    if (rt.draining.aborted) break;
    try {
      deleted += await asProject(projectId, 'service', () => sweepProject(rt, projectId));
    } catch (error) {
      failed++;
      countSweep(rt, 'outputs', { outcome: 'failed', blobs: 0, bytes: 0 });
      rt.log.error({ err: error, projectId }, 'the sweep of a project failed');
    }
  }
  return done({ deleted, failed });
}

async function sweepProject(rt: Runtime, projectId: string): Promise<number> {
  const started = performance.now();
  rt.settings.forget(projectId);
  const project = await rt.settings.project(projectId);
  const settings = await rt.settings.resolve(project, noThread);
  const { query } = rt.store;
  await forgetLost(query, projectId);
  await abandonStaging(query, projectId);
  await foldOutputBytes(query, projectId);
  const expired = await untilNone(() => expireOutputs(query, projectId, rt.graceMs));
  const overBudget = await untilNone(() =>
    expireOverBudget(query, projectId, settings.policy.outputs.max_bytes, rt.graceMs),
  );
  reached('sweep.marked');
  const removals = new Removals(rt.log.child({ projectId }));
  const outputs = await removeMarked(rt, projectId, removals);
  await removeErased(rt, projectId, removals);
  await forgetOld(rt, projectId);
  const media = await sweepMedia(rt, projectId, removals);
  const deleted = outputs.deleted + media.deleted;
  const bytesFreed = outputs.bytesFreed + media.bytesFreed;
  const outcome = removals.failed > 0 ? 'failed' : 'done';
  countSweep(rt, 'outputs', { outcome, blobs: deleted, bytes: Number(bytesFreed) });
  if (expired + overBudget + deleted + removals.failed > 0) {
    const durationMs = Math.round(performance.now() - started);
    const { failed, error } = removals;
    const counts = { expired, overBudget, deleted, bytesFreed, failed, error };
    await recordSweep(rt.store.query, { projectId, durationMs, ...counts });
  }
  return deleted;
}

/** Removes the outputs whose grace period is over: first the bytes, then the row. */
async function removeMarked(
  rt: Runtime,
  projectId: string,
  removals: Removals,
): Promise<{ deleted: number; bytesFreed: bigint }> {
  const { query } = rt.store;
  let deleted = 0;
  let bytesFreed = 0n;
  for (;;) {
    const blobs = await deletableOutputs(query, projectId);
    if (blobs.length === 0) return { deleted, bytesFreed };
    const { removed, failed } = await removals.each(blobs, async ({ blobKey, originalKey }) => {
      await rt.blobs.remove(blobKey);
      if (originalKey !== null) await rt.blobs.remove(originalKey);
    });
    reached('sweep.removed');
    await buryOutputs(query, projectId, removed.map(idOf));
    await postponeOutputs(query, projectId, failed.map(idOf));
    deleted += removed.length;
    for (const blob of removed) bytesFreed += BigInt(blob.bytes);
  }
}

/** Removes everything that an erased thread has in storage: outputs that no fork took over, and the archive. */
async function removeErased(rt: Runtime, projectId: string, removals: Removals): Promise<void> {
  for (;;) {
    const erased = await erasedThreads(rt.store.query, projectId);
    if (erased.length === 0) return;
    const { removed, failed } = await removals.each(erased, ({ uid }) => removeFolder(rt, projectId, uid));
    await markFilesRemoved(rt.store.query, projectId, removed.map(uidOf));
    await postponeFiles(rt.store.query, projectId, failed.map(uidOf));
  }
}

async function removeFolder(rt: Runtime, projectId: string, uid: string): Promise<void> {
  const folder = threadPrefix(projectId, uid);
  const kept = await keysOfOthers(rt.store.query, projectId, uid);
  if (kept.size === 0) return rt.blobs.removeAll(folder);
  for await (const { key } of rt.blobs.list(folder)) if (!kept.has(key)) await rt.blobs.remove(key);
}

const idOf = ({ id }: { id: string }): string => id;
const uidOf = ({ uid }: { uid: string }): string => uid;

/** Repeats a batched statement until it finds nothing more. */
async function untilNone(batch: () => Promise<SweptBlob[]>): Promise<number> {
  let total = 0;
  for (let found = await batch(); found.length > 0; found = await batch()) total += found.length;
  return total;
}

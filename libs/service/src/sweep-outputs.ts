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
  forgetLost,
  listProjectIds,
  markFilesRemoved,
  recordSweep,
  type SweptBlob,
} from '@spillway/store';
import { forgetOld } from './events/forget-old.js';
import { noThread } from './settings.js';
import { sweepMedia } from './media/sweep-media.js';
import { reached } from './crash-point.js';
import type { Runtime } from './runtime.js';

/**
 * Dawn's rule, off the request path: outputs past their time, then the oldest until the project is within its byte
 * budget; pinned ones never. What was marked goes once its grace is over: first the bytes, then the row.
 */
export async function sweepOutputs(rt: Runtime): Promise<Outcome> {
  let deleted = 0;
  for (const projectId of await asService(() => listProjectIds(rt.store))) {
    if (rt.draining.aborted) break;
    deleted += await asProject(projectId, 'service', () => sweepProject(rt, projectId));
  }
  return done({ deleted });
}

async function sweepProject(rt: Runtime, projectId: string): Promise<number> {
  const started = performance.now();
  rt.settings.forget(projectId);
  const project = await rt.settings.project(projectId);
  const settings = await rt.settings.resolve(project, noThread);
  const { query } = rt.store;
  await forgetLost(query, projectId);
  await abandonStaging(query, projectId);
  const expired = await drain(() => expireOutputs(query, projectId, rt.graceMs));
  const overBudget = await drain(() =>
    expireOverBudget(query, projectId, settings.policy.outputs.max_bytes, rt.graceMs),
  );
  reached('sweep.marked');
  let deleted = 0;
  let bytesFreed = 0n;
  for (;;) {
    const blobs = await deletableOutputs(query, projectId);
    if (blobs.length === 0) break;
    await Promise.all(blobs.map((blob) => rt.blobs.remove(blob.blobKey)));
    reached('sweep.removed');
    await buryOutputs(
      query,
      projectId,
      blobs.map((blob) => blob.id),
    );
    deleted += blobs.length;
    for (const blob of blobs) bytesFreed += BigInt(blob.bytes);
  }
  await removeErased(rt, projectId);
  await forgetOld(rt, projectId);
  const media = await sweepMedia(rt, projectId);
  deleted += media.deleted;
  bytesFreed += media.bytesFreed;
  if (expired + overBudget + deleted > 0) {
    const durationMs = Math.round(performance.now() - started);
    await recordSweep(rt.store, { projectId, durationMs, expired, overBudget, deleted, bytesFreed });
  }
  return deleted;
}

/** Whatever an erased thread has in storage goes with it: outputs, and what compactions archived. */
async function removeErased(rt: Runtime, projectId: string): Promise<void> {
  for (;;) {
    const erased = (await erasedThreads(rt.store.query, projectId)).map((row) => row.uid);
    if (erased.length === 0) return;
    for (const uid of erased) await rt.blobs.removeAll(threadPrefix(projectId, uid));
    await markFilesRemoved(rt.store.query, projectId, erased);
  }
}

/** Repeats a batched statement until it finds nothing more. */
async function drain(batch: () => Promise<SweptBlob[]>): Promise<number> {
  let total = 0;
  for (let found = await batch(); found.length > 0; found = await batch()) total += found.length;
  return total;
}

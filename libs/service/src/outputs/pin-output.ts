import { pinOutput as write, type OutputRow } from '@spillway/store';
import { getOutput, openOutput, type OutputWithThread } from './read-output.js';
import type { Runtime } from '../runtime.js';

/** A pinned output never expires and is never swept, whatever the budget. Throws `output_gone`, `output_not_found`. */
export async function pinOutput(rt: Runtime, projectId: string, id: string): Promise<OutputWithThread> {
  const output: OutputRow = await openOutput(rt, projectId, id);
  await write(rt.store.query, { projectId, id: output.id, pinned: true });
  // A sweep may have marked it meanwhile; then this throws.
  await openOutput(rt, projectId, id);
  return getOutput(rt, projectId, id);
}

/** Its time to live counts again, from when it was stored. */
export async function unpinOutput(rt: Runtime, projectId: string, id: string): Promise<OutputWithThread> {
  await getOutput(rt, projectId, id);
  await write(rt.store.query, { projectId, id, pinned: false });
  return getOutput(rt, projectId, id);
}

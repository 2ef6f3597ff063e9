import { reduceEntries, weigh, type Entry } from '@spillway/engine';
import { findSummary, type ThreadRow } from '@spillway/store';
import { heldIn } from './holds.js';
import type { Runtime } from '../runtime.js';

/** How much a message weighs in the contexts of a thread: a cleared result less, one with its whole outputs more. */
export async function shownWeightIn(
  rt: Runtime,
  { projectId, uid, generation }: ThreadRow,
  limit: number,
): Promise<(entry: Entry) => number> {
  const active =
    generation === 0 ? null : await findSummary(rt.store, { projectId, threadUid: uid }, generation);
  const rules = {
    maxImages: Infinity,
    clearedThrough: active?.clearedThrough ?? 0,
    holds: heldIn(active?.holds ?? null),
  };
  return (entry) => weigh(reduceEntries([entry], rules).entries[0]!, limit);
}

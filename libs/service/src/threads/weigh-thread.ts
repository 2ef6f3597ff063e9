import { reduceEntries, weigh } from '@spillway/engine';
import { heldIn } from '../messages/holds.js';
import { readEntries, readThreadWithSummary, weighAgain, type GrownThread } from '@spillway/store';
import { entryOf, seqsThrough } from '../messages/entries.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import type { Runtime } from '../runtime.js';

/** Whether the live tokens were weighed under the current settings. */
export const isWeighed = (row: GrownThread): boolean => row.weighedVersion === row.settingsVersion;

/**
 * Weighs a thread again when its window, counter or policy changed: the weight of a message depends on the limit, and
 * whether the thread is due depends on both. Returns the weighed thread; undefined when it is weighed already, or changed
 * meanwhile and is weighed later.
 */
export async function weighThread(rt: Runtime, projectId: string, id: string) {
  const row = await readThreadWithSummary(rt.store.query, projectId, id);
  // Another look weighed it meanwhile. A compaction that was claimed since then subtracts that weight.
  if (!row || isWeighed(row)) return undefined;
  const settings = await rt.settings.ofRow(row);
  const { budget, policy } = settings;
  const rows = await readEntries(rt.store.query, {
    projectId,
    threadUid: row.uid,
    after: row.coveredThrough,
    through: row.headSeq,
    also: [...seqsThrough(row.leadingThrough), ...(row.sGeneration === null ? [] : row.sCarried)],
  });
  const rules = {
    maxImages: policy.context.max_images,
    clearedThrough: row.sGeneration === null ? 0 : row.sClearedThrough,
    holds: row.sGeneration === null ? undefined : heldIn(row.sHolds),
  };
  const { entries } = reduceEntries(rows.map(entryOf), rules);
  const weight = entries.reduce((sum, entry) => sum + weigh(entry, budget.limit), 0);
  const weighed = await weighAgain(rt.store.query, {
    projectId,
    uid: row.uid,
    liveTokens: settings.baseTokens + (row.sGeneration === null ? 0 : row.sTokens) + weight,
    contextWindow: budget.contextWindow,
    limitTokens: budget.limit,
    triggerTokens: budget.trigger,
    summaryEnabled: policy.summary.enabled,
    settingsVersion: settings.settingsVersion,
    policyVersion: row.policyVersion,
    nextSeq: row.nextSeq,
    generation: row.generation,
    contentVersion: row.contentVersion,
  });
  if (weighed) hintCompaction(rt, weighed);
  return weighed;
}

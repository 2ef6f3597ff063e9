import { readThreadWithSummary, weighAgain, type ActiveSummary, type GrownThread } from '@spillway/store';
import { hintCompaction } from '../compaction/hint-compaction.js';
import type { Runtime } from '../runtime.js';
import { liveTokensUnder } from './live-tokens.js';

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
  const shown = { settings, through: row.headSeq, maxImages: policy.context.max_images };
  const weighed = await weighAgain(rt.store.query, {
    projectId,
    uid: row.uid,
    liveTokens: await liveTokensUnder(rt, row, activeSummary(row), shown),
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

const activeSummary = (row: ActiveSummary) =>
  row.sGeneration === null
    ? null
    : {
        toSeq: row.sToSeq,
        tokens: row.sTokens,
        carried: row.sCarried,
        clearedThrough: row.sClearedThrough,
        holds: row.sHolds,
      };

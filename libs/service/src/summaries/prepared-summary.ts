import type { SummaryFields } from '@spillway/engine';
import {
  approvedVersion,
  prepare,
  readPrepared,
  voidPrepared,
  type PreparedRow,
  type PreparedState,
  type ThreadRow,
} from '@spillway/store';
import { writtenInstructions } from '../instructions/instruction-slot.js';
import { fidelityColumn } from '../fidelity/fidelity.js';
import { setsNothing } from '../policies/policy-locks.js';
import type { RangeToSummarize } from './range-to-summarize.js';
import type { Runtime } from '../runtime.js';
import type { SummaryWithFallback } from './fallback-summary.js';

/**
 * Stores a summary that is not in place yet: `prepared` is put in place when the thread is compacted next, `proposed`
 * when somebody approves it. No context shows it until then. Returns its generation, or undefined when the thread
 * changed since it was planned.
 */
export async function storePrepared(
  rt: Runtime,
  { row, plan, settings, instructions }: RangeToSummarize,
  summary: SummaryWithFallback,
  { state, newChain }: { state: PreparedState; newChain: boolean },
): Promise<{ generation: number; stillDue: boolean } | undefined> {
  const { shownInstructions } = writtenInstructions(instructions, plan, summary.slot);
  return prepare(rt.store.query, {
    projectId: row.projectId,
    threadUid: row.uid,
    epoch: row.leaseEpoch,
    state,
    chain: row.chain,
    generation: row.generation,
    coveredThrough: row.coveredThrough,
    contentVersion: row.contentVersion,
    policyVersion: row.policyVersion,
    settingsVersion: settings.settingsVersion,
    request: row.request,
    newChain,
    fromSeq: plan.fromSeq,
    toSeq: plan.toSeq,
    asOfSeq: row.nextSeq - 1,
    seenSeq: summary.seenSeq,
    carried: plan.carried,
    clearedThrough: plan.clearedThrough,
    fields: JSON.stringify(summary.fields),
    text: summary.text,
    summaryTokens: summary.tokens,
    maxTokens: plan.summaryTokens,
    tokensBefore: row.liveTokens,
    tokensAfter: plan.tokensKept + plan.separatorTokens + summary.tokens,
    method: summary.method,
    model: summary.model,
    failure: summary.failure,
    shownInstructions,
    fidelity: fidelityColumn(summary.fidelity),
    idleMs: settings.policy.context.idle_ms,
  });
}

/** A summary that can be put in place. */
export interface Prepared extends Pick<
  PreparedRow,
  'generation' | 'newChain' | 'toSeq' | 'asOfSeq' | 'seenSeq' | 'maxTokens' | 'method' | 'model'
> {
  fields: SummaryFields;
}

/**
 * The prepared summary of a claimed thread, if this compaction may use it: one with settings of its own and a rebuild
 * may not. One that was planned under project settings which changed since is voided, unless it was approved.
 */
export async function usablePrepared(rt: Runtime, row: ThreadRow): Promise<Prepared | undefined> {
  if (row.preparedState !== 'prepared' || !mayUsePrepared(row.request)) return undefined;
  const found = await readPrepared(rt.store.query, row.projectId, row.uid);
  if (!found || found.generation !== row.preparedGeneration) return undefined;
  if (!holdsUnderSettings(found, row)) {
    await discardPrepared(rt, row);
    return undefined;
  }
  return { ...found, fields: JSON.parse(found.fields) as SummaryFields };
}

/** Whether a prepared summary was planned under the project's settings of now, or approved by somebody. */
export const holdsUnderSettings = (
  { settingsVersion }: Pick<PreparedRow, 'settingsVersion'>,
  row: Pick<ThreadRow, 'settingsVersion'>,
): boolean => settingsVersion === row.settingsVersion || settingsVersion === approvedVersion;

/** Voids the prepared or proposed summary of a thread. False when another change came first. */
export const discardPrepared = (rt: Runtime, row: ThreadRow): Promise<boolean> =>
  voidPrepared(rt.store.query, {
    projectId: row.projectId,
    threadUid: row.uid,
    generation: row.preparedGeneration,
  });

function mayUsePrepared(request: string | null): boolean {
  if (request === null) return true;
  const { kind, policy = {} } = JSON.parse(request) as { kind: string; policy?: object };
  return kind === 'manual' && setsNothing(policy);
}

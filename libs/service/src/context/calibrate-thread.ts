import { measureRatio, type Budget } from '@spillway/engine';
import {
  measureCalibration,
  readThread,
  seqBefore,
  servedThrough,
  type AdoptedCalibration,
  type Served,
  type GrownThread,
} from '@spillway/store';
import type { ContextFrame } from './context-frame.js';
import type { Calibration } from '../threads/thread-input.js';
import { hintCompaction } from '../compaction/hint-compaction.js';
import { fingerprintIn, inputTokensOf } from './provider-usage.js';
import type { Runtime } from '../runtime.js';
import { budgetIn } from '../policies/settings.js';

/** How often a measurement is retried when the thread changes meanwhile. */
const tries = 3;

/** The usage of a model call in the form its provider gave it. */
export interface PostedUsage {
  usage: unknown;
  /** The context of the call, when the usage object does not name it. */
  fingerprint: string | null;
}

/** What became of a posted usage. */
export type UsageOutcome =
  | { applied: true }
  | {
      applied: false;
      reason:
        | 'not_understood'
        | 'no_served_context'
        | 'context_too_small'
        | 'implausible'
        | 'replayed'
        | 'unavailable';
    };

const ignored = (reason: Extract<UsageOutcome, { applied: false }>['reason']): UsageOutcome => ({
  applied: false,
  reason,
});

/**
 * Learns what the provider counts for one of our tokens, from the usage of a call whose answer was just recorded
 * after `seq`. It is compared with the context that was served for the call, and never with the thread as it is by
 * then. Contexts stay as they are until the next compaction adopts what was learned; only the trigger follows at once.
 */
export async function calibrateThread(
  rt: Runtime,
  row: GrownThread,
  posted: PostedUsage,
  seq: number,
): Promise<{ thread: GrownThread; outcome: UsageOutcome }> {
  try {
    return await calibrate(rt, row, posted, seq);
  } catch (error) {
    // The messages are recorded: no later failure may turn that into an error.
    rt.log.warn({ err: error, thread: row.uid }, 'a usage was not applied');
    return { thread: row, outcome: ignored('unavailable') };
  }
}

async function calibrate(
  rt: Runtime,
  row: GrownThread,
  posted: PostedUsage,
  seq: number,
): Promise<{ thread: GrownThread; outcome: UsageOutcome }> {
  const inputTokens = inputTokensOf(posted.usage);
  if (inputTokens === null) return { thread: row, outcome: ignored('not_understood') };
  const named = posted.fingerprint ?? fingerprintIn(posted.usage);
  const recent = await servedThrough(rt.store.query, row.projectId, row.uid, seq);
  const served =
    named === null ? await servedLast(rt, row, recent, seq) : recent.find((one) => one.fingerprint === named);
  for (let thread: GrownThread | undefined = row, attempt = 1; thread && attempt <= tries; attempt++) {
    const { policy } = await rt.settings.ofRow(thread);
    if (!served || !isCountedAlike(served, thread, policy.context.counter))
      return { thread, outcome: ignored('no_served_context') };
    const measured = measureRatio(thread.measuredRatio, inputTokens, served.tokens);
    if ('ignored' in measured) return { thread, outcome: ignored(measured.ignored) };
    if (measured.ratio === thread.measuredRatio) return { thread, outcome: { applied: true } };
    const { projectId, uid, policyVersion } = thread;
    const budget = await budgetMeasured(rt, thread, { measuredRatio: measured.ratio });
    const triggerTokens = budget.trigger;
    const change = { projectId, uid, policyVersion, measuredRatio: measured.ratio, triggerTokens };
    const changed = await measureCalibration(rt.store.query, change);
    rt.settings.forgetThread(projectId, thread.id);
    if (changed) {
      rt.keptThreads.calibrate(changed);
      hintCompaction(rt, changed);
      return { thread: changed, outcome: { applied: true } };
    }
    // Another change came first.
    thread = await readThread(rt.store.query, projectId, thread.id);
  }
  return { thread: row, outcome: ignored('unavailable') };
}

/** The context that was served for the message before those that were recorded after `seq`. */
async function servedLast(
  rt: Runtime,
  { projectId, uid }: GrownThread,
  [newest]: readonly Served[],
  seq: number,
): Promise<Served | undefined> {
  if (!newest || newest.seq === seq) return newest;
  // After a rewind the message before is not the one with the seq before.
  return newest.seq === (await seqBefore(rt.store.query, projectId, uid, seq + 1)) ? newest : undefined;
}

/** The calibration that a compaction of this thread adopts; null when nothing was measured since the last one. */
export async function calibrationToAdopt(rt: Runtime, row: GrownThread): Promise<AdoptedCalibration | null> {
  const { calibration, measuredRatio, policyVersion } = row;
  if (measuredRatio === calibration) return null;
  const budget = await budgetMeasured(rt, row, { calibration: measuredRatio });
  return {
    calibration: measuredRatio,
    limitTokens: budget.limit,
    triggerTokens: budget.trigger,
    policyVersion,
  };
}

/** The budget under another calibration or measurement. */
async function budgetMeasured(rt: Runtime, row: GrownThread, by: Partial<Calibration>): Promise<Budget> {
  const { input, budget } = await rt.settings.ofRow(row);
  return budgetIn(budget.contextWindow, input, { ...row, ...by }).budget;
}

/** A context of another model, or one counted in another way, says nothing about this one's calibration. */
function isCountedAlike(served: Served, row: GrownThread, counter: string): boolean {
  const frame = JSON.parse(served.frame) as ContextFrame;
  return frame.model === row.model && frame.counter.name === counter;
}

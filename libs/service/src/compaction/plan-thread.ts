import {
  mergePolicies,
  planAhead,
  planAt,
  planCompaction,
  type Entry,
  type Plan,
  type PlanInput,
  type PolicyInput,
} from '@spillway/engine';
import { instructionRoom } from '../instructions/instruction-slot.js';
import { readThreadInstructions, type ThreadInstructions } from '../instructions/thread-instructions.js';
import {
  readEntries,
  readHolds,
  readInstructions,
  readThreadWithSummary,
  type CompactionRequest,
  type ThreadRow,
} from '@spillway/store';
import { entryOf, seqsThrough } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';

export interface ThreadPlan {
  plan: Plan;
  settings: ThreadSettings;
  /** The entries it was planned on: leading, carried and uncovered messages. */
  entries: readonly Entry[];
  /** What the thread's user asked for from now on. */
  instructions: ThreadInstructions;
}

/** Maximum of held messages that a fold follows, the newest first. */
export const maxHolds = 1_000;

/** Which compaction is planned. */
export interface PlanRequest {
  /** Null for an automatic one. */
  request?: CompactionRequest | null;
  /** From the original messages, whatever the active summary covers. */
  rebuild?: boolean;
  /**
   * `ahead` plans a fold before its trigger; `toSeq` is the cut of one that was prepared, or that a caller chose.
   * `isWritten`: of a caller's own summary that is put in place again.
   */
  cut?: 'now' | 'ahead' | { toSeq: number; isWritten?: boolean };
}

/** What a compaction of this thread would do now, under its policy with the overrides of the request. */
export async function planThread(
  rt: Runtime,
  row: ThreadRow,
  { request = null, rebuild = request?.kind === 'rebuild', cut = 'now' }: PlanRequest,
): Promise<ThreadPlan> {
  const settings = await settingsOf(rt, row, request);
  const { query } = rt.store;
  const [active, held, stored] = await Promise.all([
    rebuild ? undefined : readThreadWithSummary(query, row.projectId, row.id),
    readHolds(query, row.projectId, row.uid, maxHolds),
    readInstructions(query, row.projectId, row.uid),
  ]);
  const summary = active?.sGeneration === row.generation ? active : undefined;
  const coveredThrough = rebuild ? 0 : row.coveredThrough;
  const carriedSeqs = summary?.sCarried ?? [];
  const keptSeqs = held.map(({ seq }) => seq);
  const rows = await readEntries(query, {
    projectId: row.projectId,
    threadUid: row.uid,
    after: coveredThrough,
    through: row.headSeq,
    also: [...seqsThrough(row.leadingThrough), ...carriedSeqs, ...keptSeqs],
  });
  const entries = rows.map(entryOf);
  // A summary from before instructions had a slot of their own has read none.
  const readThrough = rebuild || summary?.sInstructions == null ? 0 : coveredThrough;
  const instructions = await readThreadInstructions(rt, row, readThrough, { entries, stored });
  const input: PlanInput = {
    policy: settings.policy.context,
    budget: settings.budget,
    counter: settings.counter,
    systemTokens: settings.systemTokens + settings.requestTokens,
    ...partsOf(entries, { leadingThrough: row.leadingThrough, coveredThrough, carriedSeqs, keptSeqs }),
    summaryTokens: summary?.sTokens ?? 0,
    coveredThrough,
    manual: request !== null,
    ...instructionRoom(instructions.all, settings),
  };
  return { plan: planWith(input, cut, row), settings, entries, instructions };
}

async function settingsOf(
  rt: Runtime,
  row: ThreadRow,
  request: CompactionRequest | null,
): Promise<ThreadSettings> {
  const project = await rt.settings.project(row.projectId, row.settingsVersion);
  const policy = JSON.parse(row.policy) as PolicyInput;
  const call = mergePolicies(request?.policy as PolicyInput | undefined);
  // Uses the newest measurement, which the compaction adopts.
  return rt.settings.resolve(project, { ...row, policy, calibration: row.measuredRatio }, call);
}

/** The entries by what a plan may do with them. */
function partsOf(
  entries: readonly Entry[],
  {
    leadingThrough,
    coveredThrough,
    carriedSeqs,
    keptSeqs,
  }: {
    leadingThrough: number;
    coveredThrough: number;
    carriedSeqs: readonly number[];
    keptSeqs: readonly number[];
  },
): Pick<PlanInput, 'leading' | 'carried' | 'kept' | 'recent'> {
  const covered = entries.filter(({ seq }) => seq > leadingThrough && seq <= coveredThrough);
  return {
    leading: entries.filter(({ seq }) => seq <= leadingThrough),
    carried: covered.filter(({ seq }) => carriedSeqs.includes(seq)),
    kept: covered.filter(({ seq }) => keptSeqs.includes(seq) && !carriedSeqs.includes(seq)),
    recent: entries.filter(({ seq }) => seq > coveredThrough),
  };
}

function planWith(input: PlanInput, cut: NonNullable<PlanRequest['cut']>, { liveTokens }: ThreadRow): Plan {
  if (cut === 'now') return planCompaction(input);
  if (cut === 'ahead') return planAhead(input, liveTokens);
  return planAt({ ...input, isWritten: cut.isWritten ?? false }, cut.toSeq);
}

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

/**
 * What a compaction of this thread would do now, under its policy with the overrides of the request. `ahead` plans a
 * fold before its trigger; `toSeq` fixes the cut of one that was prepared.
 */
export async function planThread(
  rt: Runtime,
  row: ThreadRow,
  request: CompactionRequest | null,
  rebuild = request?.kind === 'rebuild',
  cut: Cut = 'now',
): Promise<ThreadPlan> {
  const project = await rt.settings.project(row.projectId, row.settingsVersion);
  const policy = JSON.parse(row.policy) as PolicyInput;
  const call = mergePolicies(request?.policy as PolicyInput | undefined);
  const settings = await rt.settings.resolve(
    project,
    // Uses the newest measurement, which the compaction adopts.
    { ...row, policy, calibration: row.measuredRatio },
    call,
  );
  const [active, held, stored] = await Promise.all([
    rebuild ? undefined : readThreadWithSummary(rt.store.query, row.projectId, row.id),
    readHolds(rt.store.query, row.projectId, row.uid, maxHolds),
    readInstructions(rt.store.query, row.projectId, row.uid),
  ]);
  const summary = active?.sGeneration === row.generation ? active : undefined;
  const coveredThrough = rebuild ? 0 : row.coveredThrough;
  const carriedSeqs = summary?.sCarried ?? [];
  const keptSeqs = held.filter(({ hold }) => hold !== 'release').map(({ seq }) => seq);
  const rows = await readEntries(rt.store.query, {
    projectId: row.projectId,
    threadUid: row.uid,
    after: coveredThrough,
    through: row.headSeq,
    also: [...seqsThrough(row.leadingThrough), ...carriedSeqs, ...keptSeqs],
  });
  const entries = rows.map(entryOf);
  const read = rebuild || summary?.sInstructions == null ? 0 : coveredThrough;
  const instructions = await readThreadInstructions(rt, row, read, { entries, stored });
  const input: PlanInput = {
    policy: settings.policy.context,
    budget: settings.budget,
    counter: settings.counter,
    systemTokens: settings.systemTokens + settings.requestTokens,
    leading: entries.filter((entry) => entry.seq <= row.leadingThrough),
    carried: entries.filter(
      (entry) =>
        entry.seq > row.leadingThrough && entry.seq <= coveredThrough && carriedSeqs.includes(entry.seq),
    ),
    kept: entries.filter(
      (entry) =>
        entry.seq > row.leadingThrough &&
        entry.seq <= coveredThrough &&
        keptSeqs.includes(entry.seq) &&
        !carriedSeqs.includes(entry.seq),
    ),
    summaryTokens: summary?.sTokens ?? 0,
    coveredThrough,
    recent: entries.filter((entry) => entry.seq > coveredThrough),
    manual: request !== null,
    ...instructionRoom(instructions.all, settings),
  };
  const plan = planWith(input, cut, row);
  return { plan, settings, entries, instructions };
}

type Cut = 'now' | 'ahead' | { toSeq: number };

function planWith(input: PlanInput, cut: Cut, { liveTokens }: ThreadRow): Plan {
  if (cut === 'now') return planCompaction(input);
  return cut === 'ahead' ? planAhead(input, liveTokens) : planAt(input, cut.toSeq);
}

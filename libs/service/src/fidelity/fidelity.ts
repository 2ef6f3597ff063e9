import {
  recallOf,
  saidIn,
  scoreFold,
  scoreOf,
  withBoundedLists,
  type CompactionPlan,
  type FoldFidelity,
  type LedgerEntry,
  type NeedRecall,
  type SummaryFidelity,
} from '@spillway/engine';
import { findSummary, type SummaryRow, type ThreadRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import { instructionsToShow } from '../instructions/instruction-slot.js';
import type { ThreadInstructions } from '../instructions/thread-instructions.js';
import { seqsThrough } from '../messages/entries.js';
import type { Runtime } from '../runtime.js';
import type { ListedSummary } from '../summaries/list-summaries.js';
import { lastLookedAt, needsAfter, readSeqs } from './needs-after.js';

/** What a summary that is about to be stored keeps and loses. */
export type MadeFidelity = FoldFidelity<LedgerEntry>;

/** What a summary and the messages that stay beside it say of the folded ones, in the text of now. */
export interface Scoring {
  beside: string;
  plan: CompactionPlan;
  instructions: ThreadInstructions;
  facts: readonly LedgerEntry[];
}

export const besideOf = async (rt: Runtime, row: ThreadRow, { carried }: CompactionPlan): Promise<string> =>
  (await readSeqs(rt, { projectId: row.projectId, threadUid: row.uid }, carried)).map(saidIn).join('\n');

export const fidelityOf = (text: string, { beside, plan, instructions, facts }: Scoring): MadeFidelity =>
  scoreFold({ text, beside, facts, instructions: instructionsToShow(instructions.all, plan) });

/** As a row holds it. */
export const fidelityColumn = (fidelity: MadeFidelity): string => JSON.stringify(withBoundedLists(fidelity));

/**
 * What the agent needed after the fold that is about to be replaced. It is measured here, once for each generation: the
 * worker that folds has time, an append has not. Null where nothing is active or it was made before it was measured.
 */
export async function recallOfActive(rt: Runtime, row: ThreadRow): Promise<NeedRecall | null> {
  if (row.generation === 0) return null;
  const of = { projectId: row.projectId, threadUid: row.uid };
  const active = await findSummary(rt.store, of, row.generation);
  return active && active.fidelity !== null ? measureRecall(rt, row, active) : null;
}

async function measureRecall(rt: Runtime, row: ThreadRow, summary: SummaryRow): Promise<NeedRecall> {
  const fold = {
    projectId: row.projectId,
    threadUid: row.uid,
    toSeq: summary.toSeq,
    verbatim: [...seqsThrough(row.leadingThrough), ...summary.carried],
    afterSeq: summary.asOfSeq,
    lastSeq: row.headSeq,
  };
  return recallOf(summary.text, await needsAfter(rt, fold), lastLookedAt(fold));
}

/** A generation's fidelity and the number that `summary.min_fidelity` is compared with. */
export interface ShownFidelity extends SummaryFidelity {
  score: number;
}

/** Null for a summary from before it was measured, and for one whose text was erased. */
export function storedFidelity({ fidelity }: ListedSummary): ShownFidelity | null {
  if (fidelity === null) return null;
  const stored = fidelity as unknown as SummaryFidelity;
  return { ...stored, score: scoreOf(stored) };
}

/** The recall of generations that no fold has replaced yet. A change of the thread's content is another version. */
const recalls = new LRUCache<string, NeedRecall>({ max: 500, ttl: 60_000 });

/** The same with what the agent needed up to now. */
export async function currentFidelity(
  rt: Runtime,
  thread: ThreadRow,
  summary: ListedSummary,
): Promise<ShownFidelity | null> {
  const stored = storedFidelity(summary);
  if (!stored || stored.recall || summary.prepared) return stored;
  const last = lastLookedAt({ afterSeq: summary.asOfSeq, lastSeq: thread.headSeq });
  const key = [thread.projectId, thread.uid, thread.contentVersion, summary.generation, last].join();
  const recall = recalls.get(key) ?? (await measureRecall(rt, thread, summary));
  recalls.set(key, recall);
  return { ...stored, recall };
}

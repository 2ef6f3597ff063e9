import type { SummaryRecord, ThreadTable } from '../memory/rows.js';
import { promise } from '../violation.js';

/**
 * What a caller wrote stays: a compaction goes on from the caller's own summary that the context had before, as long as
 * nobody withdrew or rewound it. A caller ends it by an undo, a restore or another summary: none of these is a
 * compaction. Looks at rows alone: at chains, and at what a summary took over and replaced.
 */
export function checkCallersWords({ row: t, summaries, attempts }: ThreadTable, where: () => string): void {
  const active = find(summaries, t.generation);
  const isCompaction = attempts.some(
    ({ outcome, generation }) => outcome === 'compacted' && generation === t.generation,
  );
  if (!active || !isCompaction) return;
  const before = callersOwn(summaries, activeBefore(summaries, active));
  if (!before || before.withdrawnAt !== null || before.rewoundBefore > 0) return;
  const now = callersOwn(summaries, active);
  const words = asWritten(summaries, before).generation;
  promise(
    now !== undefined && asWritten(summaries, now).generation === words,
    () => `lost what a caller wrote in generation ${words}: ${where()}`,
  );
  promise(
    active.method !== 'caller' || active.fields === before.fields,
    () => `changed what a caller wrote in generation ${words}: ${where()}`,
  );
}

/**
 * At rest no caller's own summary waits to be active again: when what was folded onto it is withdrawn, a compaction puts
 * it in place, however few tokens the thread has.
 */
export function checkNoWordsWait({ row: t, summaries }: ThreadTable): void {
  if (t.deletedAt !== null || t.generation !== 0 || t.parkReason !== null) return;
  const own = callersOwn(summaries, withdrawnLast(summaries));
  const isAlive = own !== undefined && own.withdrawnAt === null && own.rewoundBefore === 0;
  promise(!isAlive, () => `left out what a caller wrote in generation ${own?.generation}: ${t.id}`);
}

const find = (summaries: readonly SummaryRecord[], generation: number | null): SummaryRecord | undefined =>
  summaries.find((one) => one.generation === generation);

/** What was active before; after a withdrawal, what was active until then. */
function activeBefore(summaries: readonly SummaryRecord[], of: SummaryRecord): SummaryRecord | undefined {
  if (of.replaces !== 0) return find(summaries, of.replaces);
  return withdrawnLast(summaries.filter(({ generation }) => generation < of.generation));
}

/** The newest summary, if it was active until it was withdrawn. */
function withdrawnLast(summaries: readonly SummaryRecord[]): SummaryRecord | undefined {
  const newest = summaries.at(-1);
  const isWithdrawn = newest?.withdrawnAt != null && newest.undoneAt === null && newest.rewoundBefore === 0;
  return isWithdrawn ? newest : undefined;
}

/** The caller's own summary that this one was made from: the first of its chain, or behind what that one took over. */
function callersOwn(
  summaries: readonly SummaryRecord[],
  of: SummaryRecord | undefined,
): SummaryRecord | undefined {
  const first = of && summaries.find(({ chain }) => chain === of.chain);
  if (!first || first.method === 'caller') return first;
  return callersOwn(summaries, find(summaries, first.restoredFrom));
}

/** The summary as its caller posted it: those that put it in place again name it. */
function asWritten(summaries: readonly SummaryRecord[], of: SummaryRecord): SummaryRecord {
  const taken = find(summaries, of.restoredFrom);
  return taken?.method === 'caller' ? asWritten(summaries, taken) : of;
}

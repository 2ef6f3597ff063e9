import type { Evidence } from './evidence.js';
import type { AttemptFacts, SummaryFacts, ThreadFacts } from './rows.js';
import { violation, type Violation } from './violation.js';

/**
 * I6: the ranges of a chain are contiguous from seq 1 without gaps or overlaps, and the active one ends where the
 * thread says. I7: every generation of a compaction was committed by exactly one attempt with the
 * same range; one that a caller wrote or restored has none, nor has the first of a fork, which was its parent's, or the
 * second after one of a caller.
 */
export function chains(evidence: Evidence): Violation[] {
  const summaries = Map.groupBy(evidence.summaries, (summary) => summary.uid);
  const attempts = Map.groupBy(evidence.attempts, (attempt) => attempt.uid);
  return evidence.threads.flatMap((thread) => {
    const own = summaries.get(thread.uid) ?? [];
    return [...ranges(thread, own), ...winners(thread, own, attempts.get(thread.uid) ?? [])];
  });
}

function ranges(thread: ThreadFacts, summaries: readonly SummaryFacts[]): Violation[] {
  const found: Violation[] = [];
  for (const [chain, links] of Map.groupBy(summaries, (summary) => summary.chain)) {
    let next = 1;
    for (const { fromSeq, toSeq, generation } of links) {
      const of = `generation ${generation} of chain ${chain}`;
      if (fromSeq !== next)
        found.push(violation('I6', thread.name, fromSeq, `${of} starts at ${fromSeq}; ${next} was next`));
      if (toSeq < fromSeq || toSeq >= thread.nextSeq)
        found.push(violation('I6', thread.name, toSeq, `${of} ends at ${toSeq}`));
      next = toSeq + 1;
    }
  }
  const last = summaries.filter((summary) => summary.chain === thread.chain).at(-1);
  const { generation, coveredThrough } = thread;
  if ((last?.generation ?? 0) !== generation || (last?.toSeq ?? 0) !== coveredThrough)
    found.push(
      violation(
        'I6',
        thread.name,
        coveredThrough,
        `the thread stands at generation ${generation} through ${coveredThrough}, its chain at ${last?.generation ?? 0} through ${last?.toSeq ?? 0}`,
      ),
    );
  return found;
}

function winners(
  thread: ThreadFacts,
  summaries: readonly SummaryFacts[],
  attempts: readonly AttemptFacts[],
): Violation[] {
  const found: Violation[] = [];
  const won = attempts.filter((attempt) => attempt.outcome === 'compacted');
  const copied = summaries.some(({ generation, author }) => generation === 1 && author !== null) ? 2 : 1;
  for (const { generation, fromSeq, toSeq, restoredFrom, author } of summaries) {
    const of = won.filter((attempt) => attempt.generation === generation);
    if (of.length === 0 && (restoredFrom !== null || author !== null)) continue;
    if (of.length === 0 && thread.forkSeq !== null && generation <= copied) continue;
    if (of.length !== 1)
      found.push(violation('I7', thread.name, toSeq, `${of.length} attempts won generation ${generation}`));
    else if (of[0]!.fromSeq !== fromSeq || of[0]!.toSeq !== toSeq)
      found.push(
        violation('I7', thread.name, toSeq, `the attempt of generation ${generation} had another range`),
      );
  }
  for (const { epoch, generation } of won)
    if (!summaries.some((summary) => summary.generation === generation))
      found.push(
        violation(
          'I7',
          thread.name,
          null,
          `attempt ${epoch} won generation ${generation}, which is not there`,
        ),
      );
  return found;
}

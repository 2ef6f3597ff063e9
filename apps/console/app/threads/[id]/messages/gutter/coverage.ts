import type { Schemas } from '@spillway/client';

type Summary = Schemas['GenerationRange'];

/** Which generation of the active chain covers which message. */
export interface Coverage {
  /** The generation that covers a message; undefined while it is sent verbatim, and when it is not listed. */
  of: (seq: number) => Summary | undefined;
  /** The generation whose range ends at a message, where the timeline shows the compaction. */
  endingAt: (seq: number) => Summary | undefined;
  /** Generations of the active chain, oldest first. */
  chain: Summary[];
  /** The nearest compactions before and after a message, by the seq of their cut. */
  cutBefore: (seq: number) => number | undefined;
  cutAfter: (seq: number) => number | undefined;
}

export function coverageOf(summaries: readonly Summary[]): Coverage {
  const active = summaries.find((summary) => summary.active);
  const chain = summaries
    .filter((summary) => active && summary.chain === active.chain && summary.generation <= active.generation)
    .sort((a, b) => a.generation - b.generation);
  const ends = new Map(chain.map((summary) => [summary.to_seq, summary]));
  return {
    // Ranges are contiguous, so the first one that reaches the message contains it. A chain begins at message 1. If the
    // first listed range begins later, the generations before it are not listed, because there are too many.
    of: (seq) =>
      seq < (chain[0]?.from_seq ?? 1) ? undefined : chain.find((summary) => seq <= summary.to_seq),
    endingAt: (seq) => ends.get(seq),
    chain,
    cutBefore: (seq) => chain.findLast((summary) => summary.to_seq < seq)?.to_seq,
    cutAfter: (seq) => chain.find((summary) => summary.to_seq > seq)?.to_seq,
  };
}

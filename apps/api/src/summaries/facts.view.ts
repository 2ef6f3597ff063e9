import type { FactsCheck } from '@spillway/service';

/** A facts check in API form. */
export const factsView = ({ summary, fromSeq, counts, forgotten, page, statements }: FactsCheck) => {
  const total = { kept: 0, carried: 0, dropped: 0 };
  for (const of of counts.values()) {
    total.kept += of.kept;
    total.carried += of.carried;
    total.dropped += of.dropped;
  }
  return {
    generation: summary.generation,
    created_at: summary.createdAt.toISOString(),
    from_seq: fromSeq,
    to_seq: summary.toSeq,
    counts: Object.fromEntries(counts),
    total,
    forgotten,
    data: page.data.map(({ kind, text, seqs, count, lastSeq, state }) => ({
      kind,
      text,
      seqs,
      count,
      last_seq: lastSeq,
      state,
    })),
    next_cursor: page.nextCursor,
    statements,
  };
};

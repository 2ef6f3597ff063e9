/** Messages that one statement erases or rewinds: of more it may take longer than Postgres lets it run. */
const atOnce = 20_000;

export interface SeqRange {
  /** The seq before the first one. */
  after: number;
  /** The last one. */
  through: number;
}

/** Ranges of 20,000 seqs each, in order. The last seqs, as many or fewer, are left to the statement that comes then. */
export function* fullRanges({ after, through }: SeqRange): Generator<SeqRange> {
  for (let from = after; from + atOnce < through; from += atOnce)
    yield { after: from, through: from + atOnce };
}

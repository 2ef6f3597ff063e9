/**
 * Messages are requested in blocks. Seqs are gapless from 1, but for those that a fork lacks, so a row's block is
 * computed, and a full block never changes.
 */
const perBlock = 50;

export const blockOf = (seq: number): number => Math.floor((Math.max(1, seq) - 1) / perBlock);

export const blocksBetween = (first: number, last: number): number[] =>
  Array.from({ length: blockOf(last) - blockOf(first) + 1 }, (_, i) => blockOf(first) + i);

/** Whether the messages of a block are all that it has in a thread of `lastSeq` messages. */
export const holdsAll = (
  messages: readonly { seq: number }[] | undefined,
  block: number,
  lastSeq: number,
): boolean => (messages?.at(-1)?.seq ?? 0) >= Math.min(lastSeq, (block + 1) * perBlock);

/** The query of a block, or of the rest of it after `after`. Media are not shown, so they are left out. */
export const blockQuery = (block: number, after = block * perBlock) => ({
  after,
  before: (block + 1) * perBlock + 1,
  limit: perBlock,
  view: 'context' as const,
  media: 'marked' as const,
});

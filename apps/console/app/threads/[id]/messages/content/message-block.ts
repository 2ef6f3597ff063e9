/**
 * Messages are requested in blocks. Seqs are gapless from 1, but for those that a fork lacks, so a row's block is
 * computed, and a full block never changes.
 */
const perBlock = 50;

export const blockOf = (seq: number): number => Math.floor((Math.max(1, seq) - 1) / perBlock);

export const blocksBetween = (first: number, last: number): number[] =>
  Array.from({ length: blockOf(last) - blockOf(first) + 1 }, (_, i) => blockOf(first) + i);

/** The query of a block, or of the rest of it after `after`. Media are not shown, so they are left out. */
export const blockQuery = (block: number, after = block * perBlock) => ({
  after,
  before: (block + 1) * perBlock + 1,
  limit: perBlock,
  view: 'context' as const,
  media: 'marked' as const,
});

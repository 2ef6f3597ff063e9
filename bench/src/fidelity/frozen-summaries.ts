import { extractSummary, slotsUsed, type CountTokens, type SummaryFields } from '@spillway/engine';
import type { Summarizer } from '@spillway/llm';

interface Block {
  /** It stands for 2^rank folds, and was summarized again as often. */
  rank: number;
  fields: SummaryFields;
}

/** The share of the budget that is kept free for each smaller block that is still to come. */
const shareOfOne = 1 / 8;

/**
 * Frozen generations, merged in ranks: each fold makes a block of its own messages, which is not touched again until
 * there is another block of its rank. Two of one rank are then summarized into one. So N folds are at most log2 N blocks, and
 * what a message says is summarized again at most log2 N times. One thread each.
 */
export class FrozenSummaries implements Summarizer {
  private readonly blocks: Block[] = [];

  summarize: Summarizer['summarize'] = ({ messages, maxTokens, count }) => {
    const room = (rank: number): number => {
      const others = this.blocks.reduce((sum, { fields }) => sum + tokensOf(fields, count), 0);
      return Math.max(32, Math.floor(maxTokens * (1 - rank * shareOfOne)) - others);
    };
    const newest = messages.slice(-1);
    let block: Block = { rank: 0, fields: {} };
    const pending = this.blocks.at(-1)?.rank === 0 ? maxTokens : room(0);
    block.fields = extractSummary({ prior: null, messages, maxTokens: pending, count });
    while (this.blocks.at(-1)?.rank === block.rank) {
      const prior = joined([this.blocks.pop()!.fields, block.fields]);
      const rank = block.rank + 1;
      // A block that is merged further at once is not cut down in between.
      const goesOn = this.blocks.at(-1)?.rank === rank;
      const fields = extractSummary({
        prior,
        messages: newest,
        maxTokens: goesOn ? maxTokens : room(rank),
        count,
      });
      block = { rank, fields };
    }
    this.blocks.push(block);
    const fields = joined(this.blocks.map((one) => one.fields));
    return Promise.resolve({ fields, method: 'extractive', model: null });
  };
}

function tokensOf(fields: SummaryFields, count: CountTokens): number {
  const { facts, narrative } = slotsUsed(fields, count);
  return facts + narrative;
}

/** The lines of some summaries, the oldest first, under the names of their fields. */
function joined(all: readonly SummaryFields[]): SummaryFields {
  const names = new Set(all.flatMap((fields) => Object.keys(fields)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      all
        .map((fields) => fields[name] ?? '')
        .filter((text) => text !== '')
        .join('\n'),
    ]),
  );
}

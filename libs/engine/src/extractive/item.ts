import { renderLine, type SummaryLine } from '../compaction/summary-line.js';

/** A line that may stand in the summary: something the thread itself said. */
export interface Item extends SummaryLine {
  /** How much it matters beside the other items of its field: see `weights.ts`. */
  weight: number;
  /** It always stays, shortened where it is too long. */
  keep?: boolean;
  /** It is a refusal of the user. It stays after what always does, together with the question that it answers. */
  refuses?: { question: SummaryLine | null };
}

/** The lines of an item. */
export const renderItem = ({ refuses, ...line }: Item): string =>
  refuses?.question ? `${renderLine(refuses.question)}\n${renderLine(line)}` : renderLine(line);

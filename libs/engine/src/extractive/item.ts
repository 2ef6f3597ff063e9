import type { SummaryLine } from '../compaction/summary-line.js';

/** A line that may stand in the summary: something the thread itself said. */
export interface Item extends SummaryLine {
  /** How much it matters beside the other items of its field: see `weights.ts`. */
  weight: number;
  /** It always stays, shortened where it is too long. */
  keep?: boolean;
}

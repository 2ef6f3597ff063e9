import type { CompactionPlan, SummaryFields } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { ThreadSettings } from '../policies/settings.js';
import type { Spending } from '../usage/spending.js';

/** What a compaction is about to summarize. */
export interface RangeToSummarize {
  row: ThreadRow;
  plan: CompactionPlan;
  settings: ThreadSettings;
  /** The fields of the active summary, which the new one replaces. */
  prior: SummaryFields | null;
  /** Usage of model calls, whatever their result. */
  spending: Spending;
  signal: AbortSignal;
}

import type { CompactionPlan, SummaryFields } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { ThreadSettings } from '../policies/settings.js';
import type { Spending } from '../usage/spending.js';

/** What a compaction is about to stand for. */
export interface RangeToSummarize {
  row: ThreadRow;
  plan: CompactionPlan;
  settings: ThreadSettings;
  /** The fields of the active summary, which the new one replaces. */
  prior: SummaryFields | null;
  /** What calls to models take, whatever comes of them. */
  spending: Spending;
  signal: AbortSignal;
}

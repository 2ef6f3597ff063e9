import type { CompactionPlan, SummaryFields } from '@spillway/engine';
import type { ThreadInstructions } from '../instructions/thread-instructions.js';
import type { ThreadRow } from '@spillway/store';
import type { ThreadSettings } from '../policies/settings.js';
import type { Spending } from '../usage/spending.js';

/** What a compaction is about to summarize. */
export interface RangeToSummarize {
  row: ThreadRow;
  plan: CompactionPlan;
  settings: ThreadSettings;
  /** The fields of the earlier summary that the new one folds in; null without any. */
  prior: SummaryFields | null;
  /** Of the whole thread as it is now. */
  instructions: ThreadInstructions;
  /** Usage of model calls, whatever their result. */
  spending: Spending;
  signal: AbortSignal;
}

import type { Held } from '@spillway/service';
import { compactionView } from '../threads/thread.view.js';

/** Kept or released messages in API form. */
export const heldView = ({ thread, hold, seqs, keptTokens, maxKeptTokens }: Held) => ({
  hold,
  seqs,
  kept_tokens: keptTokens,
  max_kept_tokens: maxKeptTokens,
  compaction: compactionView(thread),
});

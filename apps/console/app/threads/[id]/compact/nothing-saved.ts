import type { Schemas } from '@spillway/client';
import { count } from '@/ui/quantity';

/** A compaction that saves less than this share is not worth a summary. */
const minShare = 0.01;

/** Why a compaction is pointless now; null when it saves tokens. */
export function nothingSaved({
  tokens_before: before,
  cut,
}: Pick<Schemas['CompactionPreview'], 'tokens_before' | 'cut'>): string | null {
  if (cut === null || before - cut.tokens_after >= before * minShare) return null;
  return `Nothing would be saved: ${count(before)} → ${count(cut.tokens_after)} tokens. Most of the context is fixed content.`;
}

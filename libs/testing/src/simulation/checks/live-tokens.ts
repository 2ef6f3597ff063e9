import {
  conversationOverhead,
  defaultPolicy,
  reduceEntries,
  weigh,
  type Entry,
  type MessageCounter,
  type Role,
} from '@spillway/engine';
import { heldIn } from '@spillway/service';
import type { MessageRecord, ThreadTable } from '../memory/rows.js';

const entryOf = ({ seq, role, tokens, pinned, images, answers }: MessageRecord): Entry => ({
  seq,
  role: role as Role,
  tokens,
  pinned,
  images,
  calls: [],
  // A released result weighs a line for each of its answers.
  answers: answers === null ? [] : [JSON.parse(answers) as string | string[]].flat(),
  item: false,
});

/**
 * What a thread's context weighs, counted from its rows and not from what statements added up. Images that are old
 * enough to be hidden count in full until a compaction or another look weighs them: `min` is without them.
 */
export function liveTokensOf(
  { row: t, messages, summaries }: ThreadTable,
  counter: MessageCounter,
): { min: number; max: number } {
  const active = summaries.find((summary) => summary.generation === t.generation);
  const carried = new Set(active?.carried);
  const system = t.system === null ? 0 : counter.text(t.system) + counter.perMessage;
  const base = conversationOverhead + system + (active?.tokens ?? 0);
  const entries = messages
    .filter(({ rewoundBefore }) => rewoundBefore === 0)
    .filter(({ seq }) => seq > t.coveredThrough || seq <= t.leadingThrough || carried.has(seq))
    .map(entryOf);
  const rules = {
    maxImages: defaultPolicy.context.max_images,
    clearedThrough: 0,
    holds: heldIn(active?.holds ?? null),
  };
  const weightOf = (of: readonly Entry[]): number =>
    of.reduce((sum, entry) => sum + weigh(entry, t.limitTokens), base);
  return {
    min: weightOf(reduceEntries(entries, rules).entries),
    max: weightOf(reduceEntries(entries, { ...rules, maxImages: Infinity }).entries),
  };
}

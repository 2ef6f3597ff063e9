import { conversationOverhead, weigh, type Entry, type MessageCounter, type Role } from '@spillway/engine';
import type { MessageRecord, ThreadTable } from '../memory/rows.js';

const entryOf = ({ seq, role, tokens, pinned, images }: MessageRecord): Entry => ({
  seq,
  role: role as Role,
  tokens,
  pinned,
  images,
  calls: [],
  answers: [],
  item: false,
});

/** What a thread's context weighs, counted from its rows and not from what statements added up. */
export function liveTokensOf({ row: t, messages, summaries }: ThreadTable, counter: MessageCounter): number {
  const active = summaries.find((summary) => summary.generation === t.generation);
  const carried = new Set(active?.carried);
  const system = t.system === null ? 0 : counter.text(t.system) + counter.perMessage;
  let live = conversationOverhead + system + (active?.tokens ?? 0);
  for (const message of messages) {
    const { seq } = message;
    if (seq > t.coveredThrough || seq <= t.leadingThrough || carried.has(seq))
      live += weigh(entryOf(message), t.limitTokens);
  }
  return live;
}

import type { Plain } from '@spillway/testing';
import { nothingSent, type Sent } from './sent.js';

/** Another system's rule on one thread. */
export interface Theirs {
  /** Tokens of a tool result as that system shows it. */
  shown: (message: Plain, characters: number) => number;
  /** Index of the first live message that stays; null for no cut. */
  cut: (live: readonly Plain[], tokens: number) => number | null;
  /** On each turn everything ever said comes back and is summarized again (Chronos). */
  forgets?: boolean;
}

/** Tokens of a summary of theirs: the size ours has at most by default. */
const summaryTokens = 1_024;

/** What that system would send before each answer, right or wrong. */
export function replayTheirs(
  messages: readonly { plain: Plain; characters: number }[],
  theirs: Theirs,
  window: number,
): Sent {
  const sent = nothingSent();
  const all = messages.map(({ plain, characters }) => ({
    ...plain,
    tokens: theirs.shown(plain, characters),
  }));
  const system = all.filter((message) => message.role === 'system');
  const frame = system.reduce((sum, message) => sum + message.tokens, 3);
  let live: Plain[] = [];
  let summary = 0;
  for (const message of all) {
    if (message.role === 'assistant') {
      const before = theirs.forgets
        ? all.slice(0, all.indexOf(message)).filter((m) => m.role !== 'system')
        : live;
      const beside = theirs.forgets ? 0 : summary;
      const tokens = frame + beside + sum(before);
      const keepFrom = theirs.cut(before, tokens);
      const kept = keepFrom === null ? before : before.slice(keepFrom);
      if (keepFrom !== null) {
        sent.compactions++;
        summary = summaryTokens;
        if (!theirs.forgets) live = kept;
      }
      const total = frame + (keepFrom === null ? beside : summary) + sum(kept);
      sent.turns++;
      sent.tokens += total;
      if (total > window) sent.over++;
      if (isBroken(kept)) sent.invalid++;
    }
    if (message.role !== 'system') live = [...live, message];
  }
  return sent;
}

const sum = (messages: readonly Plain[]): number =>
  messages.reduce((total, message) => total + message.tokens, 0);

/** A result whose call is not there is refused by every provider. */
function isBroken(kept: readonly Plain[]): boolean {
  const called = new Set<string>();
  for (const message of kept) {
    if (message.answers !== null && !called.has(message.answers)) return true;
    for (const id of message.calls) called.add(id);
  }
  return false;
}

import type { Plain } from '@spillway/testing';
import type { Counted } from './counted-message.js';
import { nothingSent, type Sent } from './sent.js';

/** Another system's rule on one thread. */
export interface Theirs {
  /** Tokens of a message as that system shows it. */
  shown: (message: Counted) => number;
  /** Where it would cut before a call of the model; `keepFrom` is an index into the live messages. */
  cut: (live: readonly Plain[], tokens: number) => { due: boolean; keepFrom: number | null };
  /** What comes back from its storage when the user speaks, of all that was said before; left out: the live messages. */
  reload?: (all: readonly Plain[]) => Plain[];
}

/** Tokens of a summary of theirs: the size ours has at most by default. */
export const summaryTokens = 1_024;

/**
 * What that system would send before each answer, right or wrong. Where it is not documented how often it looks at
 * the size within a loop of tool calls, it looks before every call.
 */
export function replayTheirs(messages: readonly Counted[], theirs: Theirs, window: number): Sent {
  const sent = nothingSent();
  const all = messages.map((message) => ({ ...message.plain, tokens: theirs.shown(message) }));
  const frame = all.filter(isSystem).reduce((total, message) => total + message.tokens, 3);
  let live: Plain[] = [];
  let summary = 0;
  let wasDue = false;
  let justCompacted = false;
  all.forEach((message, i) => {
    if (message.role === 'assistant') {
      const cut = theirs.cut(live, frame + summary + sum(live));
      // Nothing to cut, or a cut before the first message, which takes nothing.
      const compacts = cut.keepFrom !== null && cut.keepFrom > 0;
      if (compacts) {
        live = live.slice(cut.keepFrom!);
        summary = summaryTokens;
        sent.compactions++;
        if (justCompacted) sent.repeated++;
      }
      wasDue ||= cut.due;
      justCompacted = compacts;
      const total = frame + summary + sum(live);
      sent.turns++;
      sent.tokens += total;
      if (total > window) sent.over++;
      if (isBroken(live)) sent.invalid++;
    }
    if (isSystem(message)) return;
    if (message.role === 'user' && theirs.reload) {
      live = theirs.reload(all.slice(0, i).filter((earlier) => !isSystem(earlier)));
    }
    live = [...live, message];
  });
  if (wasDue && sent.compactions === 0) sent.stuck = 1;
  return sent;
}

const isSystem = (message: Plain): boolean => message.role === 'system';

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

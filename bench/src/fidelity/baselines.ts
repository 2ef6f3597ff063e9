import { clipHead, clipTail, type CountTokens } from '@spillway/engine';
import type { Counted } from '../savings/counted-message.js';
import { summaryTokens, type Theirs } from '../savings/their-thread.js';

/** What replaces a folded range in as many tokens as our summary takes, without looking at what it says. */
export const plainSummaries: Record<string, (text: string, tokens: number, count: CountTokens) => string> = {
  'its first tokens': (text, tokens, count) => clipHead(text.slice(0, tokens * maxChars), tokens, count),
  'its newest tokens': (text, tokens, count) => clipTail(text.slice(-tokens * maxChars), tokens, count),
  'head and tail': (text, tokens, count) => headAndTail(text, tokens, count),
};

/** More characters than this are never one token on average. */
const maxChars = 12;

export function headAndTail(text: string, tokens: number, count: CountTokens): string {
  const half = Math.floor(tokens / 2);
  const head = clipHead(text.slice(0, half * maxChars), half, count);
  return `${head}\n${clipTail(text.slice(-half * maxChars), half, count)}`;
}

/**
 * For each message of a thread, how many messages from its start another system has cut away by then. Its summary is
 * taken to have `summaryTokens`.
 */
export function cutsOf(messages: readonly Counted[], rule: Theirs): number[] {
  const plain = messages.map((message) => ({ ...message.plain, tokens: rule.shown(message) }));
  const frame = plain.filter(({ role }) => role === 'system').reduce((sum, { tokens }) => sum + tokens, 3);
  const cuts: number[] = [];
  let live: { at: number; plain: (typeof plain)[number] }[] = [];
  let cut = 0;
  plain.forEach((message, at) => {
    if (message.role !== 'system') live.push({ at, plain: message });
    const tokens = live.reduce((sum, one) => sum + one.plain.tokens, frame + (cut > 0 ? summaryTokens : 0));
    const { keepFrom } = rule.cut(
      live.map((one) => one.plain),
      tokens,
    );
    if (keepFrom !== null && keepFrom > 0) {
      live = live.slice(keepFrom);
      cut = live[0]?.at ?? at + 1;
    }
    cuts.push(cut);
  });
  return cuts;
}

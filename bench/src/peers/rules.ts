import { chronosCut, chronosEstimate, dawnCut, type Plain } from '@spillway/testing';

/** A message without its text. */
export interface Spoken {
  role: 'user' | 'assistant';
  tokens: number;
}

/** What another system does with a thread of texts. */
export interface Rules {
  /** Chronos loads all that was posted, though a summary covers it; Dawn what its summary does not cover. */
  loads: 'all' | 'uncovered';
  tokensOf: (text: string) => number;
  cut: (live: readonly Plain[], tokens: number) => { keepFrom: number | null };
}

export interface RulesOptions {
  /** Tokens, of which Chronos takes a share. */
  window: number;
  /** Tokens at which both summarize. */
  trigger: number;
  count: (text: string) => number;
}

/** The rules with their defaults, but for the trigger. */
export const rulesOf = (name: 'chronos' | 'dawn', { window, trigger, count }: RulesOptions): Rules =>
  name === 'chronos'
    ? {
        loads: 'all',
        tokensOf: (text) => chronosEstimate([text]),
        cut: (live, tokens) =>
          chronosCut(live, tokens, { limit: window, threshold: trigger / window, pairs: 5 }),
      }
    : {
        loads: 'uncovered',
        tokensOf: count,
        cut: (live, tokens) => dawnCut(live, tokens, { maxTokens: trigger, keepRecentTurns: 6 }),
      };

/** Of the loaded messages, how many go into a new summary now; 0 for none. */
export function summarizes({ cut }: Rules, summaryTokens: number, live: readonly Spoken[]): number {
  const tokens = live.reduce((sum, message) => sum + message.tokens, summaryTokens);
  const plain = live.map(({ role, tokens }): Plain => ({ role, tokens, calls: [], answers: null }));
  return cut(plain, tokens).keepFrom ?? 0;
}

import type { CompactionPlan } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { Runtime } from '../runtime.js';
import type { ThreadSettings } from '../policies/settings.js';
import { leavesRoom, mayContinue } from './agent-conversation.js';
import { messagesAtOnce, partTokens } from './summarize-range.js';

interface Asked {
  thread: ThreadRow;
  settings: ThreadSettings;
  plan: CompactionPlan;
  /** Tokens of each message to summarize, in order. */
  tokens: readonly number[];
  /** The first call reads the fields of a summary too. */
  hasPrior: boolean;
}

/** The rules, the form of the answer and the boundary lines around a transcript. */
const rulesTokens = 500;
/** JSON around each message of a transcript: seq, time, role, names. */
const perMessageTokens = 30;

/**
 * How many model calls a compaction would take, and with about how many tokens. Each call after the first also reads
 * the notes so far. An estimate in our tokens: a retry uses another approach, and the provider counts differently.
 */
export function estimateInput(rt: Runtime, asked: Asked): { calls: number; inputTokens: number } {
  const { thread, settings, plan, tokens, hasPrior } = asked;
  if (mayContinue(thread, plan, settings, hasPrior) && leavesRoom(rt, thread.liveTokens, plan, settings))
    return { calls: 1, inputTokens: thread.liveTokens + rulesTokens };
  const room = partTokens(rt, settings, 1);
  const shown = tokens.map((size) => Math.min(size, room));
  let calls = 0;
  let part = { messages: 0, tokens: 0 };
  for (const size of shown) {
    if (calls === 0 || part.tokens + size > room || part.messages >= messagesAtOnce) {
      calls++;
      part = { messages: 0, tokens: 0 };
    }
    part = { messages: part.messages + 1, tokens: part.tokens + size };
  }
  const read = shown.reduce((sum, size) => sum + size + perMessageTokens, 0);
  const notes = (hasPrior ? calls : calls - 1) * plan.summaryTokens;
  const prompt = settings.policy.summary.prompt;
  const perCall = rulesTokens + (prompt === null ? 0 : settings.count(prompt));
  return { calls, inputTokens: read + calls * perCall + Math.max(0, notes) };
}

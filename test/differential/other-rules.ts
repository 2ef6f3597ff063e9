import { presets, type MessageCounter } from '@spillway/engine';
import { agentScopeCut, chronosCut, dawnCut, type Plain, type Trajectory } from '@spillway/testing';
import { replay, type Counts } from './replay.js';
import { plainThreads, type PlainThread } from './thread-tokens.js';

/** Replays threads under Dawn's rule and under our preset of that name. */
export function againstDawn(threads: readonly PlainThread[], maxTokens: number): Counts {
  const { dawn } = presets;
  return replay(threads, {
    policy: { ...dawn, context: { ...dawn.context, trigger_tokens: maxTokens } },
    window: 128_000,
    rule: (live, tokens) => dawnCut(live, tokens, { maxTokens, keepRecentTurns: 6 }),
  });
}

const chronos = (limit: number) => ({
  policy: presets.chronos,
  window: limit,
  rule: (live: readonly Plain[], tokens: number) =>
    chronosCut(live, tokens, { limit, threshold: 0.8, pairs: 5 }),
  turns: 5,
});

export const againstChronos = (threads: readonly PlainThread[], limit: number): Counts =>
  replay(threads, chronos(limit));

/** As Chronos persists threads: what was said, without the tools. It is asked after each answer. */
export function againstChronosWithoutTools(
  threads: readonly Trajectory[],
  counter: MessageCounter,
  limit: number,
): Counts {
  const talk = plainThreads(
    threads,
    counter,
    ({ role, content }) => role !== 'tool' && typeof content === 'string' && content.trim() !== '',
  ).map((thread) => ({
    ...thread,
    entries: thread.entries.map((entry) => ({ ...entry, calls: [] })),
    messages: thread.messages.map((message) => ({ ...message, calls: [] })),
  }));
  // In the middle of an exchange 2 x N messages are never N turns.
  return replay(talk, { ...chronos(limit), asks: ({ role }) => role === 'assistant' });
}

export const againstAgentScope = (threads: readonly PlainThread[], window: number): Counts =>
  replay(threads, {
    policy: presets.agentscope,
    window,
    rule: (live, tokens) => agentScopeCut(live, tokens, { window, triggerRatio: 0.8, reserveRatio: 0.1 }),
  });

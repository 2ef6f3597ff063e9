import { contextWindowOf, type CompactionPlan } from '@spillway/engine';
import type { Conversation } from '@spillway/llm';
import type { ThreadRow } from '@spillway/store';
import { readContext } from '../context/read-context.js';
import type { ThreadSettings } from '../policies/settings.js';
import type { Runtime } from '../runtime.js';
import type { RangeToSummarize } from './range-to-summarize.js';

/** A conversation with the newest seq in it. */
export type SeenConversation = Conversation & { seenSeq: number };

/**
 * The context as the agent would be sent it now, for `summary.input: continuation`: the provider has its prefix cached,
 * so the summary costs little more than its answer. Null for a transcript: when the policy says so, when the context
 * does not fit the summary model's window, while a tool call has no result (a provider takes no message after such a
 * call), for a rebuild and what goes on from a summary that is not active (the agent never saw it), and from the third
 * attempt on.
 */
export async function agentConversation(
  rt: Runtime,
  { row, plan, settings, prior }: RangeToSummarize,
): Promise<SeenConversation | null> {
  if (!mayContinue(row, plan, settings, prior !== null) || row.attempt > 2) return null;
  const context = await readContext(rt, { projectId: row.projectId, threadId: row.id, format: 'ai-sdk' });
  if (context.degraded || context.pendingCalls.length > 0) return null;
  if (!leavesRoom(rt, context.tokens.total, plan, settings)) return null;
  const seqs = context.parts.map(({ seq }) => seq ?? 0);
  return {
    system: context.system,
    messages: context.messages,
    tools: row.tools === null ? [] : (JSON.parse(row.tools) as unknown[]),
    toSeq: plan.toSeq,
    newer: new Set(seqs.filter((seq) => seq > plan.toSeq)).size,
    seenSeq: seqs.reduce((newest, seq) => Math.max(newest, seq), 0),
  };
}

/**
 * Whether the policy asks to continue the agent's conversation, and the agent saw the range: of a rebuild it did not,
 * nor the earlier summary where none is active.
 */
export const mayContinue = (
  { generation, coveredThrough }: Pick<ThreadRow, 'generation' | 'coveredThrough'>,
  plan: CompactionPlan,
  { policy: { summary } }: ThreadSettings,
  hasPrior: boolean,
): boolean =>
  summary.input === 'continuation' &&
  summary.provider !== 'extractive' &&
  plan.fromSeq > coveredThrough &&
  !(hasPrior && generation === 0);

/** Whether the window of the summary model has room for a context of these tokens, the rules and the answer. */
export function leavesRoom(
  rt: Runtime,
  contextTokens: number,
  plan: CompactionPlan,
  { policy: { summary } }: ThreadSettings,
): boolean {
  const window = contextWindowOf(summary.model ?? rt.summaryModel).tokens;
  return contextTokens + 2 * plan.summaryTokens + 1_000 <= window;
}

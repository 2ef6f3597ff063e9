import { contextWindowOf } from '@spillway/engine';
import type { Conversation } from '@spillway/llm';
import { readContext } from '../context/read-context.js';
import type { Runtime } from '../runtime.js';
import type { RangeToSummarize } from './range-to-summarize.js';

/**
 * The context as the agent would be sent it now, for `summary.input: continuation`: the provider has its prefix cached,
 * so the summary costs little more than its answer. Null for a transcript: when the policy says so, when the context
 * does not fit the summary model's window, for a rebuild (the agent never saw it), and from the third attempt on.
 */
export async function agentConversation(
  rt: Runtime,
  { row, plan, settings }: RangeToSummarize,
): Promise<Conversation | null> {
  const { summary } = settings.policy;
  const isRebuild = plan.fromSeq <= row.coveredThrough;
  if (summary.input !== 'continuation' || summary.provider === 'extractive' || isRebuild || row.attempt > 2)
    return null;
  const context = await readContext(rt, { projectId: row.projectId, threadId: row.id, format: 'ai-sdk' });
  const window = contextWindowOf(summary.model ?? rt.summaryModel).tokens;
  if (context.degraded || context.tokens.total + 2 * plan.summaryTokens + 1_000 > window) return null;
  return {
    system: context.system,
    messages: context.messages,
    tools: row.tools === null ? [] : (JSON.parse(row.tools) as unknown[]),
    toSeq: plan.toSeq,
    newer: new Set(context.parts.map(({ seq }) => seq).filter((seq) => seq !== null && seq > plan.toSeq))
      .size,
  };
}

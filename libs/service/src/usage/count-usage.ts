import { costOf, priceOf, type ModelUsage } from '@spillway/engine';
import type { ThreadRow } from '@spillway/store';
import type { UpstreamAnswer } from '../chat/call-upstream.js';
import type { PreparedMessage } from '../messages/prepare-messages.js';
import type { ReadContext } from '../context/build-context.js';
import type { Runtime } from '../runtime.js';

/** Counts messages that were just written; repeated ones are not counted again. */
export function countRecorded(rt: Runtime, row: ThreadRow, written: readonly PreparedMessage[]): void {
  if (written.length === 0) return;
  const tokens = written.reduce((sum, message) => sum + message.row.fullTokens, 0);
  rt.usage.recorded(row.projectId, row.model, written.length, tokens);
}

/** Counts a context that goes to a model. What a person views is not counted. */
export function countServed(rt: Runtime, projectId: string, context: ReadContext): void {
  rt.usage.served(projectId, {
    model: context.model,
    sent: context.tokens.total,
    full: context.fullTokens,
    contextWindow: context.budget.contextWindow,
    degraded: context.degraded,
  });
}

/** Counts a turn of /chat under the model that answered, at its current price. */
export async function countChat(
  rt: Runtime,
  projectId: string,
  model: string | null,
  usage: UpstreamAnswer['usage'],
): Promise<void> {
  const taken: ModelUsage = {
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  };
  const { prices } = await rt.settings.project(projectId);
  rt.usage.chatted(projectId, model, taken, usage ? costOf(taken, priceOf(model, prices)) : null);
}

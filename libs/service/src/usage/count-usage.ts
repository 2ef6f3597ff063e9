import { costOf, priceOf, type ModelUsage } from '@spillway/engine';
import type { GrownThread } from '@spillway/store';
import { modelUsageOf } from '../context/provider-usage.js';
import type { PreparedMessage } from '../messages/prepare-messages.js';
import type { ReadContext } from '../context/context.js';
import type { Runtime } from '../runtime.js';
import { tokensNotSent } from './usage-counter.js';

/** Counts messages that were just written; repeated ones are not counted again. */
export function countRecorded(rt: Runtime, row: GrownThread, written: readonly PreparedMessage[]): void {
  if (written.length === 0) return;
  const tokens = written.reduce((sum, message) => sum + message.row.fullTokens, 0);
  rt.usage.recorded(row.projectId, row.model, written.length, tokens);
  const outputs = written.flatMap((message) => message.outputs);
  rt.metrics.add('spillway_appends_total', {});
  rt.metrics.add('spillway_messages_recorded_total', {}, written.length);
  rt.metrics.add('spillway_recorded_tokens_total', {}, tokens);
  rt.metrics.add('spillway_outputs_offloaded_total', {}, outputs.length);
  const bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  rt.metrics.add('spillway_outputs_offloaded_bytes_total', {}, bytes);
}

/** Counts a context that goes to a model. What a person views is not counted. */
export function countServed(rt: Runtime, projectId: string, context: ReadContext): void {
  const sent = context.tokens.total;
  const { contextWindow } = context.budget;
  rt.usage.served(projectId, {
    model: context.model,
    sent,
    full: context.fullTokens,
    contextWindow,
    degraded: context.degraded,
  });
  rt.metrics.add('spillway_contexts_served_total', {});
  if (context.degraded) rt.metrics.add('spillway_contexts_degraded_total', {});
  // Less than 0 where notes take more than the messages that they stand for.
  const notSent = tokensNotSent({ sent, full: context.fullTokens, contextWindow });
  rt.metrics.add('spillway_context_tokens_total', { kind: 'sent' }, sent);
  rt.metrics.add('spillway_context_tokens_total', { kind: 'not_sent' }, notSent);
}

/** Counts a turn of /chat or of a proxy under the model that answered, at its current price. */
export async function countTurn(
  rt: Runtime,
  projectId: string,
  model: string | null,
  usage: unknown,
): Promise<void> {
  const taken = modelUsageOf(usage);
  const { prices } = await rt.settings.project(projectId);
  const costUsd = taken && costOf(taken, priceOf(model, prices));
  rt.usage.chatted(projectId, model, taken ?? noUsage, costUsd);
  countSpent(rt, 'chat', taken ?? noUsage, costUsd);
}

/** Counts what models took, over all projects. */
export function countSpent(
  { metrics }: Pick<Runtime, 'metrics'>,
  purpose: 'summary' | 'chat',
  { inputTokens, outputTokens, cachedInputTokens }: ModelUsage,
  costUsd: number | null,
): void {
  const tokens = { input: inputTokens, output: outputTokens, cached_input: cachedInputTokens };
  for (const [kind, count] of Object.entries(tokens))
    metrics.add('spillway_provider_tokens_total', { purpose, kind }, count);
  metrics.add('spillway_provider_cost_usd_total', { purpose }, costUsd ?? 0);
}

const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

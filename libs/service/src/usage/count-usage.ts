import { costOf, priceOf, readMessage, type Body, type ModelUsage } from '@spillway/engine';
import type { GrownThread } from '@spillway/store';
import { modelUsageOf } from '../context/provider-usage.js';
import { countMessageOffLoop } from '../messages/count-message.js';
import type { PreparedMessage } from '../messages/prepare-messages.js';
import type { ReadContext } from '../context/context.js';
import type { Runtime } from '../runtime.js';
import { tokensNotSent, type Spender } from './usage-counter.js';

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

/** A turn of /chat or of a proxy. */
export interface CountedTurn {
  /** That answered. */
  model: string | null;
  /** What the model was sent. */
  context: ReadContext;
  /** As the provider reported it; null or undefined where it reported none. */
  usage: unknown;
}

/**
 * Counts a turn at the current price of its model. Where the provider reports nothing (OpenAI's streams, unless they are
 * asked to) the tokens are those of the context and of the reply, as Spillway counts them.
 */
export async function countTurn(
  rt: Runtime,
  spender: Spender,
  { reply, ...turn }: CountedTurn & { reply: readonly Body[] },
): Promise<void> {
  const { format, tokens, made } = turn.context;
  const reported = modelUsageOf(turn.usage);
  if (reported) return countTaken(rt, spender, turn.model, reported);
  const { counter } = await rt.settings.ofRow(made.row);
  const messages = reply.map((body) => countMessageOffLoop(readMessage({ format, body }), counter));
  const outputTokens = (await Promise.all(messages)).reduce((sum, one) => sum + one, 0);
  await countTaken(rt, spender, turn.model, { ...noUsage, inputTokens: tokens.total, outputTokens });
}

/**
 * Counts a turn whose answer was cut off: the provider charges for what nobody waited for. Until the end providers report
 * the input at most, and send a token or more in each event.
 */
export async function countCutTurn(
  rt: Runtime,
  spender: Spender,
  { model, context, usage, events }: CountedTurn & { events: number },
): Promise<void> {
  const taken = modelUsageOf(usage) ?? { ...noUsage, inputTokens: context.tokens.total };
  const outputTokens = Math.max(taken.outputTokens, events);
  await countTaken(rt, spender, model, { ...taken, outputTokens });
}

/** Counts a call with what its provider reported, if anything: of one that belongs to no thread nothing else is known. */
export const countReported = (
  rt: Runtime,
  spender: Spender,
  { model, usage }: Pick<CountedTurn, 'model' | 'usage'>,
): Promise<void> => countTaken(rt, spender, model, modelUsageOf(usage) ?? noUsage);

async function countTaken(
  rt: Runtime,
  spender: Spender,
  model: string | null,
  taken: ModelUsage,
): Promise<void> {
  const { prices } = await rt.settings.project(spender.projectId);
  const costUsd = costOf(taken, priceOf(model, prices));
  rt.usage.chatted(spender, model, taken, costUsd);
  countSpent(rt, 'chat', taken, costUsd);
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

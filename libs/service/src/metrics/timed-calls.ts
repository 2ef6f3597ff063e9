import { SpanKind, type Attributes } from '@opentelemetry/api';
import { SummarizerError, type LlmProvider, type Summarizer } from '@spillway/llm';
import { fail, inSpan } from '../tracing/spans.js';
import type { Metrics } from './metrics.js';

/** Which call of a model is timed. */
export interface TimedCall {
  purpose: 'summary' | 'chat';
  /** Null when the server's own is called, and there is none: the call fails. */
  model: string | null;
  provider: LlmProvider | null;
}

/** The same summarizer; each of its calls is counted by how it ended, with its duration, and is a span. */
export const timedSummarizer = (
  summarizer: Summarizer,
  metrics: Metrics,
  own: { provider: LlmProvider; model: string | null },
): Summarizer => ({
  summarize: (input) => {
    const of = { purpose: 'summary', ...own, model: input.model ?? own.model } as const;
    return timedCall(metrics, of, (note) =>
      summarizer.summarize({
        ...input,
        spent: (model, usage) => {
          note({
            'gen_ai.usage.input_tokens': usage.inputTokens,
            'gen_ai.usage.output_tokens': usage.outputTokens,
            'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
          });
          input.spent(model, usage);
        },
      }),
    );
  },
});

/**
 * Calls a model, and counts the call by how it ended. `isGood` tells an answer from a refusal. Its span has the names of
 * OpenTelemetry's conventions for generative AI, and nothing of what was asked and answered.
 */
export function timedCall<T>(
  metrics: Metrics,
  { purpose, model, provider }: TimedCall,
  call: (note: (attributes: Attributes) => void) => Promise<T>,
  isGood: (answer: T) => boolean = () => true,
): Promise<T> {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    ...(provider === null ? {} : { 'gen_ai.provider.name': providerNames[provider] }),
    ...(model === null ? {} : { 'gen_ai.request.model': model }),
    'spillway.purpose': purpose,
  };
  const name = model === null ? 'chat' : `chat ${model}`;
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const started = performance.now();
    const ended = (outcome: string): void =>
      metrics.observe(
        'spillway_provider_call_duration_seconds',
        { purpose, outcome },
        (performance.now() - started) / 1_000,
      );
    try {
      const answer = await call((more) => void span.setAttributes(more));
      const outcome = isGood(answer) ? 'ok' : 'failed';
      if (outcome === 'failed') fail(span, 'refused');
      ended(outcome);
      return answer;
    } catch (error) {
      ended(error instanceof SummarizerError ? error.failure : 'failed');
      throw error;
    }
  });
}

/** As OpenTelemetry's conventions spell them. What speaks OpenAI's API is named after it. */
const providerNames: Record<LlmProvider, string> = {
  openai: 'openai',
  'openai-compatible': 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
};

import { SummarizerError, type Summarizer } from '@spillway/llm';
import type { Metrics } from './metrics.js';

/** The same summarizer; each of its calls is counted by how it ended, with its duration. */
export const timedSummarizer = (summarizer: Summarizer, metrics: Metrics): Summarizer => ({
  summarize: (input) => timedCall(metrics, 'summary', summarizer.summarize(input)),
});

/** Waits for the call of a model that has just begun, and counts it. `isGood` tells an answer from a refusal. */
export async function timedCall<T>(
  metrics: Metrics,
  purpose: 'summary' | 'chat',
  call: Promise<T>,
  isGood: (answer: T) => boolean = () => true,
): Promise<T> {
  const started = performance.now();
  const ended = (outcome: string) =>
    metrics.observe(
      'spillway_provider_call_duration_seconds',
      { purpose, outcome },
      (performance.now() - started) / 1_000,
    );
  try {
    const answer = await call;
    ended(isGood(answer) ? 'ok' : 'failed');
    return answer;
  } catch (error) {
    ended(error instanceof SummarizerError ? error.failure : 'failed');
    throw error;
  }
}

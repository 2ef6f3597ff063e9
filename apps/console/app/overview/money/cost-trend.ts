import type { Schemas } from '@spillway/client';

type Llm = Schemas['UsageBucket']['llm'];

/**
 * The cost of summaries by bucket, in dollars, or in tokens when a bucket has attempts whose cost is unknown: a line has
 * one unit.
 */
export function costTrend(series: readonly { llm: Llm }[]): number[] {
  const dollars = series.map(({ llm }) => (llm.unpriced_attempts > 0 ? null : llm.cost_usd));
  return dollars.every((cost) => cost !== null)
    ? dollars
    : series.map(({ llm }) => llm.input_tokens + llm.output_tokens);
}

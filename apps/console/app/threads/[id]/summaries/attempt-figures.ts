import type { Schemas } from '@spillway/client';

type Attempt = Schemas['CompactionAttempt'];

/** What an attempt took of a model. Null where no model was asked, or nobody counted. */
export interface AttemptFigures {
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  promptVersion: string | null;
}

/** Figures that an API older than this console does not send are not known, which is what null says. */
export function figuresOf(attempt: Attempt | undefined): AttemptFigures {
  const known: Record<string, unknown> = { ...attempt };
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  const version = known.prompt_version;
  return {
    inputTokens: number(known.input_tokens),
    outputTokens: number(known.output_tokens),
    costUsd: number(known.cost_usd),
    promptVersion: typeof version === 'string' || typeof version === 'number' ? String(version) : null,
  };
}

/** $0.0042; never $0.00 for something. */
export const dollars = (usd: number): string =>
  usd === 0 ? '$0' : usd < 0.0001 ? '<$0.0001' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;

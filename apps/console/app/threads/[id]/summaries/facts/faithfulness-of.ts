import type { Schemas } from '@spillway/client';

/** Two numbers about a summary: what it dropped, and which lines have values of unknown origin. */
export function faithfulnessOf({ total, statements }: Pick<Schemas['SummaryFacts'], 'total' | 'statements'>) {
  const lines = statements ?? [];
  return {
    all: total.kept + total.carried + total.dropped,
    dropped: total.dropped,
    statements: lines.length,
    doubtful: lines.filter(({ missing }) => missing.length > 0).length,
  };
}

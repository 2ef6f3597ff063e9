import type { Schemas } from '@spillway/client';

/** The two questions about a summary in numbers: what did it drop, and which lines hold a value from nowhere? */
export function faithfulnessOf({ total, statements }: Pick<Schemas['SummaryFacts'], 'total' | 'statements'>) {
  const lines = statements ?? [];
  return {
    all: total.kept + total.carried + total.dropped,
    dropped: total.dropped,
    statements: lines.length,
    doubtful: lines.filter(({ missing }) => missing.length > 0).length,
  };
}

import { searchTerms, SpillwayError, type SearchTerms } from '@spillway/engine';
import { isStatementTimeout } from '@spillway/store';

/** What a query looks for. Throws `invalid_request` for one without a word. */
export function termsOf(query: string): SearchTerms {
  const terms = searchTerms(query);
  if (terms.terms.length > 0) return terms;
  throw new SpillwayError('invalid_request', 'The query is empty.', [
    { path: '/q', message: 'must contain a word' },
  ]);
}

/** A statement that our own timeout ended is slow; the database is not unavailable. */
export function explainTimeout(error: unknown): never {
  if (!isStatementTimeout(error)) throw error;
  throw new SpillwayError(
    'search_timeout',
    'The search took too long. Retry it, or search for a longer or rarer word.',
    undefined,
    { cause: error },
  );
}

import { spans, type Span, type ThreadFilters } from './thread-filters';

export const threadsPerPage = 100;

const ago = (span: Span): string => new Date(Date.now() - spans[span] * 3_600_000).toISOString();

/** The filters as the API's query. Durations count back from now. */
export const countsQuery = (filters: ThreadFilters) => ({
  ...(filters.q ? { q: filters.q } : {}),
  ...(filters.state.length > 0 ? { state: filters.state.join(',') } : {}),
  ...(filters.model ? { model: filters.model } : {}),
  ...(filters.errors ? { has_errors: true } : {}),
  ...(filters.fill !== null ? { fill_min: filters.fill / 100 } : {}),
  ...(filters.messages !== null ? { min_messages: filters.messages } : {}),
  ...(filters.tokens !== null ? { min_tokens: filters.tokens } : {}),
  ...(filters.active ? { updated_after: ago(filters.active) } : {}),
  ...(filters.quiet ? { updated_before: ago(filters.quiet) } : {}),
  ...(filters.compacted ? { compacted_after: ago(filters.compacted) } : {}),
});

/** One page of them, in order. */
export const threadQuery = (filters: ThreadFilters, cursor?: string) => ({
  ...countsQuery(filters),
  limit: threadsPerPage,
  sort: filters.sort,
  direction: filters.direction,
  ...(cursor ? { cursor } : {}),
});

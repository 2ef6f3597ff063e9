import type { threadCountsQuery } from '@spillway/contracts';
import type { ThreadFilter } from '@spillway/service';
import type { z } from 'zod';

/** The filter of a query string as the service expects it. */
export const threadFilter = (projectId: string, query: z.infer<typeof threadCountsQuery>): ThreadFilter => ({
  projectId,
  states: query.state,
  model: query.model,
  q: query.q,
  hasErrors: query.has_errors,
  fillMin: query.fill_min,
  minMessages: query.min_messages,
  minTokens: query.min_tokens,
  createdAfter: query.created_after,
  createdBefore: query.created_before,
  updatedAfter: query.updated_after,
  updatedBefore: query.updated_before,
  compactedAfter: query.compacted_after,
  metadata: query.metadata,
  forkedFrom: query.forked_from,
});

import { z } from 'zod';
import { listOf } from '../list.js';
import { plainText, wholeNumber } from '../text.js';

export const searchQuery = z.strictObject({
  q: plainText(1000)
    .refine((q) => q.trim() !== '', 'must not be empty')
    .describe('Words in any order, "phrases" in quotes, identifiers as they are.'),
  limit: wholeNumber(1, 100).optional(),
  cursor: z.string().max(512).optional(),
});

export const searchHit = z
  .object({
    seq: z.number().int(),
    role: z.string(),
    snippet: z.string(),
    covered_by: z
      .number()
      .int()
      .nullable()
      .describe('The generation that summarizes the message; null while it is in the context verbatim.'),
    output: z
      .object({ id: z.string(), line: z.number().int() })
      .nullable()
      .describe('The offloaded output it was found in.'),
  })
  .meta({ id: 'SearchHit' });

export const searchHits = listOf(searchHit, 'SearchHitList').extend({
  truncated: z
    .boolean()
    .describe(
      'True when older messages were not searched yet, where next_cursor goes on, or when an output is too large to be searched to its end, where grep does.',
    ),
});

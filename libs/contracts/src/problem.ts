import { z } from 'zod';

/** RFC 9457 problem document: the body of every error response. */
export const problem = z
  .object({
    type: z.string().describe('A page about this kind of problem.'),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string().describe('Stable, documented in docs/errors.md.'),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    request_id: z.string(),
  })
  .meta({ id: 'Problem' });

import { z } from 'zod';
import { whole } from './quantities.js';

/** RFC 9457 problem document: the body of every error response. */
export const problem = z
  .object({
    type: z.string().describe('A page about this kind of problem.'),
    title: z.string().describe('What kind of problem this is, in a few words.'),
    status: whole.describe('The HTTP status again.'),
    detail: z
      .string()
      .describe('What is wrong with this request, with the value and the limit where there is one.'),
    code: z.string().describe('Stable, documented in docs/errors.md.'),
    errors: z
      .array(
        z.object({
          path: z.string().describe('JSON pointer into the request.'),
          message: z.string().describe('What is wrong there.'),
        }),
      )
      .optional()
      .describe('Each part of the request that its contract refuses, at most 20.'),
    request_id: z
      .string()
      .describe('Names the request in the log of the server; also in the header X-Request-Id.'),
  })
  .meta({ id: 'Problem' });

/** The same from a proxy, whose callers are SDKs of a provider. */
export const proxyProblem = problem
  .extend({
    error: z
      .object({
        type: z.string().describe('The kind of error, as the provider names it.'),
        code: z.string().describe('`code` again.'),
        message: z.string().describe('`detail` again.'),
        param: z.string().nullable().describe('The part of the request that is wrong; null for none.'),
      })
      .optional()
      .describe(
        'The same where the SDKs of the providers look for it. Missing when the request is no valid HTTP.',
      ),
  })
  .meta({ id: 'ProxyProblem' });

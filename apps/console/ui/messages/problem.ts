import type { Schemas } from '@spillway/client';

export type Problem = Schemas['Problem'];

/** The API's problem as an error that queries can throw. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The problem of any failure; the API may also be unreachable or answer without a document. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return unreachable();
}

/** Whether the same request may succeed later: it was not refused for what it asks, but the API is down or busy. */
export const isTransient = (error: unknown): boolean => isTransientStatus(problemOf(error).status);

export const isTransientStatus = (status: number): boolean => status === 429 || status >= 500;

export const unreachable = (): Problem => ({
  type: 'about:blank',
  title: 'The API does not answer',
  status: 502,
  detail: 'The console cannot reach the API. It may be starting or down.',
  code: 'api_unreachable',
  request_id: '',
});

/** Validates a body before it is shown: a proxy in between may answer with its own page. */
export const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'title' in body && 'detail' in body && 'status' in body;

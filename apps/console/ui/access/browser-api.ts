import { createClient } from '@spillway/client/typed';
import { isProblem, ProblemError, unreachable } from '../messages/problem';

/** The typed client for the browser. It goes through /api, which adds the session's token; none is known here. */
export const browserApi = createClient({ baseUrl: '/api', key: 'held-by-the-server' });

/** The data of a call; throws its problem, as TanStack Query expects. */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw new ProblemError(isProblem(error) ? error : { ...unreachable(), status: response.status });
}

/** A call without data; throws its problem. */
export async function doneOf(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await call;
  if (response.ok) return;
  throw new ProblemError(isProblem(error) ? error : { ...unreachable(), status: response.status });
}

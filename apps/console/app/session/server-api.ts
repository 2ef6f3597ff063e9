import type { Schemas } from '@spillway/client';
import { createClient, type SpillwayClient } from '@spillway/client/typed';
import { unreachable } from '@/ui/messages/problem';
import { apiUrl } from './api-url';
import { fetchForClient } from './fetch-for-client';
import { goToSignIn } from './require-token';

/** The typed client for server components. */
export const serverApi = (key: string): SpillwayClient =>
  createClient({
    baseUrl: apiUrl(),
    key,
    fetch: (request) => fetchForClient(request, { cache: 'no-store', signal: AbortSignal.timeout(15_000) }),
  });

export type Answer<T> = { ok: true; data: T } | { ok: false; problem: Schemas['Problem'] };

/** Data of a first paint, or the problem to show instead. A key that the API refuses leads to the sign-in page. */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: Schemas['Problem']; response: Response }>,
): Promise<Answer<T>> {
  const { data, error, response } = await call.catch(() => ({
    data: undefined,
    error: unreachable(),
    response: undefined,
  }));
  if (response?.status === 401) return goToSignIn({ ended: true });
  if (data !== undefined) return { ok: true, data };
  return { ok: false, problem: error ?? unreachable() };
}

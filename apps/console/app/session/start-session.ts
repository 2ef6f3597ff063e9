import { serverApi } from './server-api';

export type Started = { token: string } | Throttled | 'refused' | 'unreachable';

/** Too many tries. `retryAfterMs` is null when the API does not say for how long. */
export interface Throttled {
  retryAfterMs: number | null;
}

/** Exchanges a key for a session's token at the API. The key is not stored. */
export async function startSession(key: string): Promise<Started> {
  try {
    const { data, response } = await serverApi(key).POST('/v1/sessions');
    if (data) return { token: data.token };
    if (response.status === 429) return { retryAfterMs: retryAfterMs(response) };
    return response.status >= 500 ? 'unreachable' : 'refused';
  } catch {
    return 'unreachable';
  }
}

function retryAfterMs({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return seconds > 0 ? seconds * 1_000 : null;
}

/** Whether the session of this token is alive. */
export async function isLive(token: string): Promise<boolean> {
  try {
    const { response } = await serverApi(token).GET('/v1/threads', { params: { query: { limit: 1 } } });
    return response.status !== 401 && response.status < 500;
  } catch {
    return false;
  }
}

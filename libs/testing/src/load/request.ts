import type { LoadRun, LoadThread } from './load-run.js';

export interface LoadAnswer<T> {
  /** 0: no answer came, or not all of it. */
  status: number;
  text: string;
  body: T;
}

/** One request about a thread to any of the APIs; a lost connection and silence are answers too. */
export async function request<T>(
  run: LoadRun,
  thread: LoadThread,
  method: string,
  path: string,
  body?: unknown,
): Promise<LoadAnswer<T>> {
  const url = path.startsWith('/') ? path : `/v1/threads/${thread.id}/${path}`;
  try {
    const response = await fetch(run.random.pick(run.apis) + url, {
      method,
      headers: {
        authorization: `Bearer ${thread.project.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(run.timeoutMs),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as T };
  } catch (error) {
    return { status: 0, text: String(error), body: { code: 'no_answer' } as T };
  }
}

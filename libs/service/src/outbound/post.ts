import { patientFetch } from '@spillway/llm';

/** Posts a text, and returns the answer as it comes. Follows no redirects; rejects as `fetch` does. */
export type Post = (
  url: string,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<Response>;

/** To any address: for URLs that the operator chose or allowed. */
export const post: Post = (url, request) => patientFetch(url, { ...request, method: 'POST' });

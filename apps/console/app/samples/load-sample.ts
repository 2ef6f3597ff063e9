import { apiUrl } from '@/app/session/api-url';
import { fetchForClient } from '@/app/session/fetch-for-client';
import { readSample } from './sample-files';

/** Small enough that every sample is compacted, large enough for useful contexts. */
const contextWindow = 16_000;
/** Like an agent: a few messages at a time, so that the thread grows visibly. */
const messagesAtOnce = 8;

export const sampleThreadId = (name: string): string => `sample-${name}`;

/**
 * Records a sample through the API with the user's token. Messages have ids, so a second call records only what is
 * missing. Returns the API's problem when it refuses.
 */
export async function loadSample(name: string, token: string): Promise<Response | null> {
  const id = sampleThreadId(name);
  const post = (path: string, body: object): Promise<Response> =>
    fetchForClient(apiUrl() + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(30_000),
    });
  const created = await post('/v1/threads', {
    id,
    metadata: { source: 'sample' },
    policy: { context: { context_window: contextWindow } },
  });
  // It exists from an earlier call.
  if (!created.ok && created.status !== 409) return created;
  const messages = await readSample(name);
  for (let at = 0; at < messages.length; at += messagesAtOnce) {
    const some = messages.slice(at, at + messagesAtOnce);
    const answer = await post(`/v1/threads/${encodeURIComponent(id)}/messages`, {
      messages: some.map((message, i) => ({ ...message, id: `${name}:${at + i + 1}` })),
    });
    if (!answer.ok) return answer;
  }
  return null;
}

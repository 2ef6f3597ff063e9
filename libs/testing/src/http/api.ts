import type { Schemas } from '@spillway/client';

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
  ms: number;
}

export type Api = ReturnType<typeof apiOf>;
export type JsonMessage = { role: string; [key: string]: unknown };

/** The API for a client without our library: real HTTP, any body, any answer. */
export function apiOf({ url, key }: { url: string; key: string }) {
  const call = async <T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> => {
    const started = performance.now();
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // A stream has no end to wait for.
    const streams = /event-stream/.test(response.headers.get('content-type') ?? '');
    if (streams) await response.body?.cancel();
    const text = streams ? '' : await response.text();
    const json = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : text) as T,
      ms: performance.now() - started,
    };
  };
  const must = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const at = (id: string) => `/v1/threads/${encodeURIComponent(id)}`;
  return {
    call,
    createThread: (body: object) => must(call<Schemas['Thread']>('POST', '/v1/threads', body)),
    thread: (id: string) => must(call<Schemas['Thread']>('GET', at(id))),
    append: (id: string, ...messages: object[]) =>
      must(call<Schemas['MessagesAppended']>('POST', `${at(id)}/messages`, { messages })),
    context: (id: string, query = '') => must(call<Schemas['Context']>('GET', `${at(id)}/context${query}`)),
    summaries: async (id: string) =>
      (await must(call<Schemas['SummaryList']>('GET', `${at(id)}/summaries?limit=1000`))).data.reverse(),
    compactions: async (id: string) =>
      (await must(call<Schemas['CompactionAttemptList']>('GET', `${at(id)}/compactions?limit=1000`))).data,
    originals: async (id: string): Promise<JsonMessage[]> => {
      const messages: JsonMessage[] = [];
      for (let after = 0; ;) {
        const page = await must(
          call<Schemas['MessageList']>('GET', `${at(id)}/messages?view=original&limit=500&after=${after}`),
        );
        messages.push(...page.data.map((item) => item.message as JsonMessage));
        if (page.next_cursor === null) return messages;
        after = page.data.at(-1)!.seq;
      }
    },
  };
}

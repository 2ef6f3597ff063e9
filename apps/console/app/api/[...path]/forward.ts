import { apiUrl } from '@/app/session/api-url';
import { fetchAgain } from '@/app/session/fetch-again';
import { refuse } from './refuse';

const sentOn = [
  ...['accept', 'content-type', 'if-match', 'if-none-match', 'range', 'last-event-id'],
  // Ends with the address of the connection: see server/append-peer-address.mjs.
  'x-forwarded-for',
];
const sentBack = [
  'accept-ranges',
  'content-disposition',
  'content-range',
  'content-type',
  'etag',
  'retry-after',
  'spillway-next',
  'x-request-id',
];

interface Limits {
  /** Longer than the API takes for any answer to begin. Without a limit a page would wait for a hanging API for ever. */
  answerMs: number;
  /** The API writes to a stream of events every 15 s: after three such times it hangs, or the network is gone. */
  silenceMs?: number | undefined;
}

const limits = { answerMs: 60_000, silenceMs: 45_000 };

/** Passes a request to the API and streams both bodies. The API has a time to begin its answer. */
export async function forward(
  request: Request,
  pathAndQuery: string,
  token: string,
  { answerMs, silenceMs = limits.silenceMs }: Limits = limits,
): Promise<Response> {
  const headers = picked(request.headers, sentOn);
  headers.set('authorization', `Bearer ${token}`);
  headers.set('accept-encoding', 'identity');
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  const init: RequestInit & { duplex: 'half' } = {
    method: request.method,
    headers,
    body: request.body,
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.any([request.signal, late.signal]),
    duplex: 'half',
  };
  try {
    const answer = await fetchAgain(apiUrl() + pathAndQuery, init);
    const body =
      answer.body && isEventStream(answer.headers)
        ? answer.body.pipeThrough(abortedWhenSilent(late, silenceMs))
        : answer.body;
    return new Response(body, { status: answer.status, headers: safeHeaders(answer.headers) });
  } catch {
    if (late.signal.aborted)
      return refuse(
        504,
        'api_timeout',
        `The API did not answer within ${answerMs / 1_000} s. It may be overloaded; a change may still take effect.`,
      );
    return refuse(502, 'api_unreachable', 'The console cannot reach the API. It may be starting or down.');
  } finally {
    clearTimeout(timer);
  }
}

const isEventStream = (headers: Headers): boolean =>
  /^text\/event-stream\b/.test(headers.get('content-type') ?? '');

/** Passes bytes on. A page would call itself live on a stream on which nothing comes any more. */
function abortedWhenSilent(request: AbortController, silenceMs: number): TransformStream<Uint8Array> {
  const timer = setTimeout(() => request.abort(), silenceMs);
  return new TransformStream({
    transform(bytes, passedOn) {
      timer.refresh();
      passedOn.enqueue(bytes);
    },
    flush: () => clearTimeout(timer),
  });
}

/** Outputs contain whatever a tool wrote. Opened in a tab they must not become a page of this site. */
function safeHeaders(from: Headers): Headers {
  const headers = picked(from, sentBack);
  headers.set('cache-control', 'no-store');
  headers.set('content-security-policy', "default-src 'none'; sandbox");
  // Events must not be compressed or buffered on the way, which would delay them.
  if (isEventStream(headers)) {
    headers.set('cache-control', 'no-store, no-transform');
    headers.set('x-accel-buffering', 'no');
    return headers;
  }
  if (!/^application\/(problem\+)?json\b/.test(headers.get('content-type') ?? '')) {
    headers.set('content-type', 'text/plain; charset=utf-8');
    if (!headers.has('content-disposition')) headers.set('content-disposition', 'attachment');
  }
  return headers;
}

function picked(from: Headers, names: readonly string[]): Headers {
  const headers = new Headers();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

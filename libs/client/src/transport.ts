import { ConnectionError, errorOf, type Problem, type SpillwayError } from './errors.js';
import { jsonOf } from './json.js';

/** How to reach a Spillway. */
export interface SpillwayOptions {
  /** Where its API is, as `http://localhost:4000`. */
  baseUrl: string;
  /** An API key or a thread token, or a function that returns one before each try: tokens expire and are renewed. */
  key: string | (() => string | Promise<string>);
  /** Default: the global fetch. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a failed request is sent again. Default: 3. */
  maxRetries?: number;
  /** Milliseconds for each try. Default: 30,000. */
  timeoutMs?: number;
  /** Milliseconds that a retry waits at most when the service asks for more. Default: 60,000. */
  maxRetryAfterMs?: number;
}

/** Parameters of a URL. Those that are undefined are left out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its retries and its pauses when it aborts. The call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** A request to the API. */
export interface Call extends CallOptions {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Query;
  body?: unknown;
  headers?: Record<string, string | undefined>;
  /**
   * False: it must not be sent twice, so it is not retried when its fate is unknown. Default: false for a POST without
   * an `Idempotency-Key`, else true.
   */
  isRepeatable?: boolean;
  /** Milliseconds for each try. Default: those of the client. */
  timeoutMs?: number;
  /** Milliseconds that the service was asked to wait before it answers. A try has this time beside `timeoutMs`. */
  waitMs?: number | undefined;
}

const firstPauseMs = 200;
const maxPauseMs = 8_000;

/** Answers that tell to try again. */
const retriedStatuses = new Set([408, 429, 502, 503, 504]);
const retriedCodes = new Set(['thread_busy']);
/** Of these a retry is refused too: the day has to end. */
const finalCodes = new Set(['chat_budget_spent', 'key_budget_spent']);
/** Of these nothing was done when the service itself says so. A proxy says 502 or 504 of what the service did, too. */
const refusingStatuses = new Set([429, 503]);

/** Sends requests, and sends them again when that is safe. Each retry has the same bytes and the same headers. */
export class Transport {
  private readonly baseUrl: string;

  constructor(private readonly options: SpillwayOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** The JSON of an answer. Throws SpillwayError. */
  async json<T>(call: Call): Promise<T> {
    // An answer that breaks off is asked for once more where that is safe: the same key gets the same answer.
    for (let triesLeft = call.isRepeatable === false || call.body instanceof ReadableStream ? 1 : 2; ;) {
      const response = await this.send(call);
      if (response.status === 204) return undefined as T;
      try {
        return (await response.json()) as T;
      } catch (error) {
        call.signal?.throwIfAborted();
        if (--triesLeft === 0)
          throw new ConnectionError('unreachable', 'The answer broke off.', 0, null, { cause: error });
      }
    }
  }

  /** An answer whose status is a success, with its body unread. Throws SpillwayError. */
  async send(call: Call): Promise<Response> {
    const { method, signal, isRepeatable = true, body } = call;
    const isStream = body instanceof ReadableStream;
    const init: Omit<RequestInit, 'headers'> & { duplex?: 'half' } = {
      method,
      ...(body === undefined ? {} : { body: isStream ? body : jsonOf(body) }),
      // A streamed body is sent while the answer is awaited.
      ...(isStream ? { duplex: 'half' as const } : {}),
    };
    const url = this.urlOf(call);
    const retries = isStream ? 0 : (this.options.maxRetries ?? 3);
    let mayBeErased = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.tryOnce(url, init, call);
      if (answer instanceof Response) return answer;
      const { error, retryAfterMs } = answer;
      const isKnown = error.status > 0;
      // A try before this one may have erased it: only its answer was lost.
      if (mayBeErased && error.status === 404 && error.requestId) return new Response(null, { status: 204 });
      mayBeErased ||= method === 'DELETE' && (!isKnown || error.status >= 500);
      const wasRefused = refusingStatuses.has(error.status) && Boolean(error.requestId);
      const isTransient =
        !finalCodes.has(error.code) &&
        (!isKnown || retriedStatuses.has(error.status) || retriedCodes.has(error.code));
      const mayRetry = isTransient && (isRepeatable || wasRefused);
      signal?.throwIfAborted();
      if (!mayRetry || attempt >= retries) throw error;
      await pause(retryAfterMs ?? backOffMs(attempt), signal);
    }
  }

  private urlOf({ path, query = {} }: Call): string {
    const entries = Object.entries(query).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    );
    const search = new URLSearchParams(entries).toString();
    return this.baseUrl + path + (search === '' ? '' : `?${search}`);
  }

  private async headersOf({ body, headers = {} }: Call): Promise<Record<string, string>> {
    const { key } = this.options;
    const isStream = body instanceof ReadableStream;
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return {
      authorization: `Bearer ${typeof key === 'string' ? key : await key()}`,
      ...(body === undefined || isStream ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(given),
    };
  }

  private async tryOnce(
    url: string,
    init: Omit<RequestInit, 'headers'>,
    call: Call,
  ): Promise<Response | { error: SpillwayError; retryAfterMs: number | null }> {
    const { signal, waitMs = 0, timeoutMs = (this.options.timeoutMs ?? 30_000) + waitMs } = call;
    const timeout = timeoutMs === Infinity ? undefined : AbortSignal.timeout(timeoutMs);
    const ends = AbortSignal.any([signal, timeout].filter((one) => one !== undefined));
    const send = this.options.fetch ?? globalThis.fetch;
    // Undefined when the key did not come in time. What its function throws is the caller's to see.
    const headers = await unlessAborted(this.headersOf(call), ends).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (!timeout?.aborted) throw error;
    });
    try {
      if (headers === undefined) throw timeout!.reason;
      const response = await send(url, { ...init, headers, signal: ends });
      if (response.ok || response.status === 304) return response;
      return { error: errorOf(await problemOf(response)), retryAfterMs: this.retryAfterOf(response) };
    } catch (error) {
      // The caller ended it: that is no failure of the service.
      signal?.throwIfAborted();
      const message = timeout?.aborted ? `No answer within ${timeoutMs} ms.` : `No connection to ${url}.`;
      const code = timeout?.aborted ? 'timeout' : 'unreachable';
      return { error: new ConnectionError(code, message, 0, null, { cause: error }), retryAfterMs: null };
    }
  }

  private retryAfterOf({ headers }: Response): number | null {
    const asked = headers.get('retry-after');
    if (asked === null) return null;
    // Seconds, or a date of the server's clock (RFC 9110, 10.2.3), which its Date header shows.
    const seconds = Number(asked);
    const now = Date.parse(headers.get('date') ?? '') || Date.now();
    const ms = Number.isNaN(seconds) ? Date.parse(asked) - now : seconds * 1_000;
    return ms >= 0 ? Math.min(ms, this.options.maxRetryAfterMs ?? 60_000) : null;
  }
}

/** A proxy in between may answer with something else than a problem document. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    const problem = JSON.parse(text) as Problem;
    // Others write errors with a code, too.
    if (typeof problem.code === 'string') return { ...problem, status: response.status };
  } catch {
    // Not JSON: described below.
  }
  const { status } = response;
  const detail = `HTTP ${status} without a problem document: ${text.slice(0, 200)}`;
  return { type: 'about:blank', title: 'Error', status, detail, code: `http_${status}`, request_id: '' };
}

const backOffMs = (attempt: number): number =>
  Math.min(maxPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Rejects with the signal's reason when it aborts first. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });

/** What a promise brings, or the signal's reason when it aborts first. */
export const unlessAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

import { APICallError, NoObjectGeneratedError } from 'ai';
import { SummarizerError } from '../summarizer.js';

/** What the SDK threw, in the words that decide what happens next. */
export function asSummarizerError(error: unknown, signal: AbortSignal): SummarizerError {
  if (error instanceof SummarizerError) return error;
  const cause = { cause: error };
  if (signal.aborted) return new SummarizerError('aborted', 'The attempt was given up.', null, cause);
  if (NoObjectGeneratedError.isInstance(error)) {
    if (error.finishReason === 'content-filter')
      return new SummarizerError('refused', 'The model refused to summarize.', null, cause);
    return new SummarizerError(
      'invalid_answer',
      `The model's answer was not usable: ${error.message}`,
      null,
      cause,
    );
  }
  if (!APICallError.isInstance(error)) {
    return new SummarizerError(
      'unavailable',
      `The model could not be reached: ${String(error)}`,
      null,
      cause,
    );
  }
  const status = error.statusCode ?? 0;
  const said = `${status} ${error.message}`.slice(0, 500);
  if (status === 401 || status === 403)
    return new SummarizerError('auth', `The model refused the key: ${said}`, null, cause);
  if (status === 429 || status === 503) {
    return new SummarizerError('rate_limited', `The model is busy: ${said}`, retryAfter(error), cause);
  }
  if (status === 400 && /context|too long|maximum|token/i.test(error.message + (error.responseBody ?? ''))) {
    return new SummarizerError('too_long', `The input was too long: ${said}`, null, cause);
  }
  return new SummarizerError('unavailable', `The model failed: ${said}`, null, cause);
}

/** Retry-After in ms, between 1 s and 10 min, when the provider sent one that makes sense. */
function retryAfter(error: APICallError): number | null {
  const value = error.responseHeaders?.['retry-after'];
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), 600_000) : null;
}

import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  LoadAPIKeyError,
  MessageConversionError,
  MissingToolResultsError,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  NoSuchModelError,
  UnsupportedFunctionalityError,
} from 'ai';
import { SummarizerError } from '../summarizer.js';

/** Errors that the SDK throws before it sends anything: the request can never be built. */
const invalidRequests = [
  InvalidArgumentError,
  InvalidPromptError,
  MessageConversionError,
  MissingToolResultsError,
  NoSuchModelError,
  UnsupportedFunctionalityError,
];

/** Statuses below 500 that do not depend on the request: a retry may succeed. */
const transientStatuses = new Set([408, 409, 425, 429]);

/** Maps an SDK error to the failure that decides on retries. */
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
  if (NoOutputGeneratedError.isInstance(error))
    return new SummarizerError('invalid_answer', 'The model answered nothing.', null, cause);
  if (LoadAPIKeyError.isInstance(error)) {
    return new SummarizerError('auth', 'No key of the provider is set: SPILLWAY_LLM_API_KEY.', null, cause);
  }
  if (invalidRequests.some((kind) => kind.isInstance(error))) {
    return new SummarizerError('rejected', `The request cannot be sent: ${String(error)}`, null, cause);
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
  const detail = `${status} ${error.message}`.slice(0, 500);
  if (status === 401 || status === 403)
    return new SummarizerError('auth', `The model refused the key: ${detail}`, null, cause);
  if (status === 429 || status === 503) {
    return new SummarizerError('rate_limited', `The model is busy: ${detail}`, retryAfter(error), cause);
  }
  if (isTooLong(error, status)) {
    return new SummarizerError('too_long', `The input was too long: ${detail}`, null, cause);
  }
  if (status >= 400 && status < 500 && !transientStatuses.has(status)) {
    const fix =
      status === 404
        ? 'Set summary.model to a model that the provider has'
        : 'Check summary.model, summary.prompt and summary.schema';
    return new SummarizerError(
      'rejected',
      `The provider rejected the request: ${detail}. ${fix}.`,
      null,
      cause,
    );
  }
  return new SummarizerError('unavailable', `The model failed: ${detail}`, null, cause);
}

/** Providers have no common code for it: a 413, or a 400 whose text mentions the length. */
function isTooLong(error: APICallError, status: number): boolean {
  if (status === 413) return true;
  const text = error.message + (error.responseBody ?? '').slice(0, 4_000);
  return (
    status === 400 &&
    /context.{0,20}(length|window|limit)|too long|too many tokens|(exceed|maximum).{0,60}(tokens|context|length)|tokens.{0,60}(exceed|maximum)/i.test(
      text,
    )
  );
}

/** A plausible Retry-After in ms, between 1 s and 10 min. */
function retryAfter(error: APICallError): number | null {
  const value = error.responseHeaders?.['retry-after'];
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), 600_000) : null;
}

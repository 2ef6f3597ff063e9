import type { components } from './schema.js';

/** An RFC 9457 problem document: the body of every error. */
export type Problem = components['schemas']['Problem'];

/** Any failure of a call. `code` is stable; docs/errors.md lists the codes. */
export class SpillwayError extends Error {
  override name = 'SpillwayError';

  constructor(
    readonly code: string,
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    /** The problem document, when there was an answer. */
    readonly problem: Problem | null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Names the request in the service's log. */
  get requestId(): string | null {
    return this.problem?.request_id ?? null;
  }
}

/** The service cannot be reached, or its answer broke off. `code` is `unreachable` or `timeout`. */
export class ConnectionError extends SpillwayError {
  override name = 'ConnectionError';
}

/** The key is missing, unknown, revoked, or lacks a scope: 401, 403. */
export class AccessError extends SpillwayError {
  override name = 'AccessError';
}

/** The request is wrong: 400, 413, 415, 422. `problem.errors` has the fields. */
export class InvalidRequestError extends SpillwayError {
  override name = 'InvalidRequestError';
}

/** There is no such thread, message, output: 404. */
export class NotFoundError extends SpillwayError {
  override name = 'NotFoundError';
}

/** It was erased, or it expired: 410. */
export class GoneError extends SpillwayError {
  override name = 'GoneError';
}

/** It conflicts with what is there: 409. */
export class ConflictError extends SpillwayError {
  override name = 'ConflictError';
}

/** A message id was used for other content; nothing was recorded. */
export class MessageConflictError extends ConflictError {
  override name = 'MessageConflictError';
}

/** Another writer was there: 412 on `ifLastSeq`; nothing was recorded. */
export class LastSeqChangedError extends SpillwayError {
  override name = 'LastSeqChangedError';
}

/** No valid context fits the budget. */
export class BudgetTooSmallError extends InvalidRequestError {
  override name = 'BudgetTooSmallError';
}

/** Too many requests: 429, after all retries. */
export class RateLimitedError extends SpillwayError {
  override name = 'RateLimitedError';
}

/** The service, its database or its storage is not available: 5xx, after all retries. */
export class UnavailableError extends SpillwayError {
  override name = 'UnavailableError';
}

type ErrorClass = typeof SpillwayError;

const byCode: Record<string, ErrorClass> = {
  message_conflict: MessageConflictError,
  last_seq_changed: LastSeqChangedError,
  budget_too_small: BudgetTooSmallError,
};

const byStatus: Record<number, ErrorClass> = {
  400: InvalidRequestError,
  401: AccessError,
  403: AccessError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitedError,
};

/** The error that a problem document says. */
export function errorOf(problem: Problem): SpillwayError {
  const { code, detail, status } = problem;
  const Class = byCode[code] ?? byStatus[status] ?? (status >= 500 ? UnavailableError : SpillwayError);
  return new Class(code, detail, status, problem);
}

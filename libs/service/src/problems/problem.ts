import type { SpillwayError } from '@spillway/engine';
import { errorStatus } from './error-status.js';

const titles: Partial<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed meanwhile',
  413: 'Body too large',
  414: 'URL too long',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Invalid request',
  429: 'Too many requests',
  431: 'Headers too large',
  502: 'Bad gateway',
  503: 'Unavailable',
};

/** The problem document of RFC 9457 with which the API and the worker answer an error. */
export function problemOf(error: SpillwayError, requestId: string) {
  const status = errorStatus[error.code];
  return {
    type: `https://spillway.dev/errors/${error.code}`,
    title: titles[status] ?? 'Internal error',
    status,
    detail: error.message,
    code: error.code,
    ...(error.errors ? { errors: error.errors } : {}),
    request_id: requestId,
  };
}

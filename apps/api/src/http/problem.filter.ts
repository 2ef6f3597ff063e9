import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import {
  asUnavailable,
  errorStatus,
  problemOf,
  RateLimited,
  RefusedKey,
  SpillwayError,
  type ErrorCode,
  type RefusalLog,
  type Runtime,
} from '@spillway/service';
import type { FastifyReply } from 'fastify';
import { routeOf, type CalledRequest } from '../auth/caller.js';
import { challengeOf } from '../auth/challenge.js';
import { asGoogleError, isOfGoogle } from '../proxies/google-error.js';
import { InjectRefusals, InjectRuntime } from '../runtime.js';

/**
 * Turns every error into an RFC 9457 problem document, in one place. Details of an unexpected error are logged, not
 * sent.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @InjectRuntime() private readonly rt: Runtime,
    @InjectRefusals() private readonly refusals: RefusalLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const request = http.getRequest<CalledRequest>();
    const error = asSpillwayError(thrown);
    if (errorStatus[error.code] >= 500) {
      if (request.caller) this.rt.usage.failed(request.caller.projectId);
      this.rt.log.error(
        { err: error.cause ?? thrown, request: request.id, method: request.method },
        error.message,
      );
    }
    if (refusedStatuses.has(errorStatus[error.code])) this.note(error, request);
    if (reply.sent) return;
    const problem = problemOf(error, request.id);
    const isForGoogle = isOfGoogle(request);
    reply.status(problem.status).type(isForGoogle ? 'application/json' : 'application/problem+json');
    const retryAfter = retryAfterOf(error, problem.status);
    if (retryAfter !== null) reply.header('retry-after', String(retryAfter));
    // The SDKs of the providers would call again at once: none of them waits for hours.
    if (budgetCodes.has(error.code)) reply.header('x-should-retry', 'false');
    if (problem.status === 405) reply.header('allow', 'POST');
    const challenge = challengeOf(error);
    if (challenge !== null) reply.header('www-authenticate', challenge);
    if (isForGoogle) reply.send(asGoogleError(problem));
    else reply.send(routeOf(request)?.proxy ? { ...problem, error: asProviderError(problem) } : problem);
  }

  /** The refusal of a revoked key belongs to its project; that of an unknown key to no project. */
  private note(error: SpillwayError, request: CalledRequest): void {
    const owner = error instanceof RefusedKey ? error.owner : null;
    const caller = request.caller ?? (owner && { ...owner, sessionId: null, token: null });
    this.refusals.note({
      status: errorStatus[error.code],
      code: error.code,
      method: request.method,
      route: routeOf(request)?.path ?? 'unknown route',
      address: request.ip,
      caller,
      requestId: request.id,
    });
  }
}

/** Budgets of a day. */
const budgetCodes = new Set<string>(['chat_budget_spent', 'key_budget_spent']);

/** Types of errors as the providers name them. Others are `invalid_request_error` or `api_error`. */
const providerTypes: Partial<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

/** Where the SDKs of the providers look for what is wrong, in words of the providers. */
const asProviderError = ({ status, code, detail, errors }: ReturnType<typeof problemOf>) => ({
  type: providerTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'),
  code,
  message: detail,
  param: errors?.[0]?.path.slice(1).replaceAll('/', '.') ?? null,
});

/** Seconds until a request may be sent again; null when waiting does not help. */
function retryAfterOf(error: SpillwayError, status: number): number | null {
  if (error instanceof RateLimited) return Math.max(1, Math.ceil(error.retryAfterMs / 1_000));
  return status === 503 || status === 429 || error.code === 'thread_busy' ? 1 : null;
}

/** Statuses that are recorded for admins: no key, wrong key, missing scope. */
const refusedStatuses = new Set([401, 403, 429]);

/** Also of a known path with another method, so it names both. It repeats neither: they are what somebody sent. */
export const noRoute = 'No route matches this method and URL. /openapi.json lists all routes.';

/** Refusals by Fastify and Nest in our words: theirs repeat what was sent. */
const byStatus: Partial<Record<number, [ErrorCode, string]>> = {
  400: ['malformed_json', 'The body or the URL cannot be decoded.'],
  404: ['not_found', noRoute],
  413: [
    'body_too_large',
    'The body is larger than 8 MiB, or than 32 MiB of a request to a model. Post fewer messages at a time. Upload a larger output to POST /v1/threads/{id}/outputs and post its stub.',
  ],
  414: ['uri_too_long', 'A segment of the URL is too long.'],
  415: ['unsupported_media_type', 'Send the body as application/json.'],
};

/** Whatever was thrown as one of our errors: an outage of Postgres, a refusal of the framework, or else a defect. */
export function asSpillwayError(thrown: unknown): SpillwayError {
  const error = asUnavailable(thrown);
  if (error instanceof SpillwayError) return error;
  const status =
    thrown instanceof HttpException
      ? thrown.getStatus()
      : (thrown as { statusCode?: number } | null)?.statusCode;
  const known = byStatus[status ?? 500];
  if (known) return new SpillwayError(...known);
  if (status !== undefined && status < 500)
    return new SpillwayError('invalid_request', 'The request does not match any operation of this API.');
  return new SpillwayError(
    'internal',
    'An internal error occurred. Retry, and report the request_id if it persists.',
    undefined,
    { cause: thrown },
  );
}

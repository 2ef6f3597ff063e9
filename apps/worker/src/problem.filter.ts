import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { operatorChallenge, problemOf, SpillwayError, type Runtime } from '@spillway/service';
import { RUNTIME } from './health.controller.js';

/** Answers errors of this port as the API does, with a problem document of RFC 9457. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(RUNTIME) private readonly rt: Runtime) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { id, method } = http.getRequest<{ id: string; method: string }>();
    const reply = http.getResponse<Reply>();
    const problem = problemOf(asSpillwayError(thrown), id);
    if (problem.status >= 500) this.rt.log.error({ err: thrown, request: id, method }, problem.detail);
    if (problem.status === 401) reply.header('www-authenticate', operatorChallenge);
    reply.status(problem.status).type('application/problem+json').send(problem);
  }
}

interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  type(value: string): Reply;
  send(body: object): unknown;
}

/** Whatever was thrown as one of our errors: a refusal of the password or of the route, or else a defect. */
function asSpillwayError(thrown: unknown): SpillwayError {
  if (thrown instanceof SpillwayError) return thrown;
  if (thrown instanceof HttpException && thrown.getStatus() === 404)
    return new SpillwayError(
      'not_found',
      'This port serves GET /healthz, /readyz and /metrics. /metrics needs SPILLWAY_OPERATOR_PASSWORD to be set.',
    );
  return new SpillwayError(
    'internal',
    'An internal error occurred. The log of the worker names it by the request_id.',
  );
}

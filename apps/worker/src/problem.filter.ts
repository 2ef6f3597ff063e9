import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { operatorChallenge, SpillwayError, type Runtime } from '@spillway/service';
import { RUNTIME } from './health.controller.js';

/** Answers errors of this port as the API does, with a problem document of RFC 9457. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(RUNTIME) private readonly rt: Runtime) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { id, method } = http.getRequest<{ id: string; method: string }>();
    const reply = http.getResponse<Reply>();
    const { status, title, code, detail } = answerTo(thrown);
    if (status >= 500) this.rt.log.error({ err: thrown, request: id, method }, detail);
    if (status === 401) reply.header('www-authenticate', operatorChallenge);
    const type = `https://spillway.dev/errors/${code}`;
    reply
      .status(status)
      .type('application/problem+json')
      .send({ type, title, status, detail, code, request_id: id });
  }
}

interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  type(value: string): Reply;
  send(body: object): unknown;
}

interface Problem {
  status: number;
  title: string;
  code: string;
  detail: string;
}

function answerTo(thrown: unknown): Problem {
  if (thrown instanceof SpillwayError && thrown.code === 'unauthorized')
    return { status: 401, title: 'Unauthorized', code: 'unauthorized', detail: thrown.message };
  if (thrown instanceof HttpException && thrown.getStatus() === 404) {
    const detail =
      'This port serves GET /healthz, /readyz and /metrics. /metrics needs SPILLWAY_OPERATOR_PASSWORD to be set.';
    return { status: 404, title: 'Not found', code: 'not_found', detail };
  }
  const detail = 'An internal error occurred. The log of the worker names it by the request_id.';
  return { status: 500, title: 'Internal error', code: 'internal', detail };
}

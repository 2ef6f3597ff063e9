import { startRequestSpan } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import type { CalledRequest } from '../auth/caller.js';
import { routeTemplate } from '../metrics/http-metrics.js';
import { probes } from './request-log.js';
import { whenClosed } from './when-closed.js';

/** Makes each request a span, when traces are sent at all. Its handler runs in it, after the body was read. */
export function installRequestSpans(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request: CalledRequest, reply, done) => {
    // Nobody asks for the traces of these.
    if (probes.has(routeTemplate(request))) return done();
    const span = startRequestSpan(request.method, request.headers);
    if (span === null) return done();
    if (span.traceId !== null) request.traceId = span.traceId;
    request.inSpan = span.run;
    whenClosed(request, reply, () =>
      span.end({
        route: routeTemplate(request),
        status: reply.statusCode,
        aborted: !reply.raw.writableFinished,
        project: request.caller?.projectId ?? null,
      }),
    );
    span.run(done);
  });
  // Reading a body leaves the context of the hook before it.
  fastify.addHook('preHandler', (request: CalledRequest, _reply, done) => {
    if (request.inSpan) request.inSpan(done);
    else done();
  });
}

import type { Runtime } from '@spillway/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeOf, type CalledRequest } from '../auth/caller.js';
import { whenClosed } from '../http/when-closed.js';

/** Pages that the contract does not list, each with all that is below it. */
const pages = ['/docs', '/queues', '/metrics', '/openapi.json'];

/** The template of a request's route: of a fixed set, whatever a client asks for. */
export function routeTemplate(request: FastifyRequest): string {
  const known = routeOf(request)?.path;
  if (known !== undefined) return known;
  const url = request.is404 ? '' : (request.routeOptions.url ?? '');
  return pages.find((page) => url === page || url.startsWith(`${page}/`)) ?? 'unmatched';
}

/** Counts and times every request that reaches a route or none, by the template of its route. */
export function installHttpMetrics(fastify: FastifyInstance, { metrics }: Pick<Runtime, 'metrics'>): void {
  fastify.addHook('onRequest', (request: CalledRequest, reply, done) => {
    const started = performance.now();
    metrics.change('spillway_http_requests_in_flight', {}, 1);
    whenClosed(request, reply, () => {
      metrics.change('spillway_http_requests_in_flight', {}, -1);
      const labels = { route: routeTemplate(request), method: request.method, status: statusClass(reply) };
      const seconds = (performance.now() - started) / 1_000;
      metrics.observe('spillway_http_request_duration_seconds', labels, seconds);
    });
    done();
  });
}

const statusClass = ({ raw, statusCode }: FastifyReply): string =>
  raw.writableFinished ? `${Math.floor(statusCode / 100)}xx` : 'aborted';

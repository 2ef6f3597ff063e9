import type { Runtime } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import type { CalledRequest } from '../auth/caller.js';
import { routeTemplate } from '../metrics/http-metrics.js';
import { whenClosed } from './when-closed.js';

/** Asked every few seconds by machines: lines of these are for debugging. */
export const probes = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Logs one line for each request: its id, the template of its route, status, duration, and the ids of project and key.
 * Neither the URL nor a header is logged: both hold what clients write.
 */
export function installRequestLog(fastify: FastifyInstance, { log }: Pick<Runtime, 'log'>): void {
  fastify.addHook('onRequest', (request: CalledRequest, reply, done) => {
    const started = performance.now();
    whenClosed(request, reply, () => {
      const route = routeTemplate(request);
      const line = {
        request: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(performance.now() - started),
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
        ...(request.traceId === undefined ? {} : { trace: request.traceId }),
        ...(request.caller ? { project: request.caller.projectId, key: request.caller.keyId } : {}),
      };
      if (probes.has(route)) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    done();
  });
}

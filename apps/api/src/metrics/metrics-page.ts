import {
  operatorChallenge,
  operatorCheck,
  operatorRefusal,
  scrapeMetrics,
  type Runtime,
} from '@spillway/service';
import type { FastifyInstance } from 'fastify';

export const metricsPath = '/metrics';

/**
 * Serves the metrics to Prometheus. They speak of all projects, so no project's key opens them: the page asks for the
 * operator's password by HTTP Basic, with any user name.
 */
export function mountMetrics(fastify: FastifyInstance, rt: Runtime, password: string): void {
  const isOperator = operatorCheck(password);
  rt.metrics.withProcess();
  fastify.get(metricsPath, async (request, reply) => {
    if (!isOperator(request.headers.authorization))
      return reply
        .status(401)
        .header('www-authenticate', operatorChallenge)
        .type('text/plain; charset=utf-8')
        .send(operatorRefusal);
    return reply.type(rt.metrics.contentType).send(await scrapeMetrics(rt));
  });
}

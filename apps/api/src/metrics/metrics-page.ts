import { operatorCheck, type Runtime } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import { refuseOperator } from '../auth/refuse-operator.js';

export const metricsPath = '/metrics';

/**
 * Serves the metrics to Prometheus. They speak of all projects, so no project's key opens them: the page asks for the
 * operator's password by HTTP Basic, with any user name.
 */
export function mountMetrics(
  fastify: FastifyInstance,
  { metrics }: Runtime,
  { password, scrape }: { password: string; scrape: () => Promise<string> },
): void {
  const isOperator = operatorCheck(password);
  metrics.withProcess();
  fastify.get(metricsPath, async (request, reply) => {
    if (!isOperator(request.headers.authorization)) return refuseOperator(reply);
    return reply.type(metrics.contentType).send(await scrape());
  });
}

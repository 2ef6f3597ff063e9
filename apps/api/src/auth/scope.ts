import { actorOf, asProject, readAuditor, type Runtime } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import { routeOf, type CalledRequest } from './caller.js';

/**
 * Runs the handler of a request in the scope of its caller's project, so that row-level security limits every statement
 * to that project. Writes an audit entry for what a person is about to see. Without a caller there is no project and no
 * rows. A hook of Fastify: an interceptor of Nest would run every request through observables.
 */
export function installScope(fastify: FastifyInstance, rt: Runtime): void {
  const audited = readAuditor(rt);
  fastify.addHook('preHandler', (request: CalledRequest, _reply, done) => {
    const { caller } = request;
    if (!caller) return done();
    asProject(caller.projectId, actorOf(caller), () => {
      // Only what a person sees is recorded.
      if (caller.sessionId === null || routeOf(request)?.content !== true) return done();
      const target = request.url.split('?')[0]!;
      audited(caller, target).then(() => done(), done);
    });
  });
}

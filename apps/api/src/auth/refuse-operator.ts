import { operatorChallenge, operatorRefusal, problemOf, SpillwayError } from '@spillway/service';
import type { FastifyReply } from 'fastify';

/** Answers a request without the operator's password: a browser then asks for it. */
export function refuseOperator(reply: FastifyReply): FastifyReply {
  const problem = problemOf(new SpillwayError('unauthorized', operatorRefusal), reply.request.id);
  return reply
    .status(problem.status)
    .header('www-authenticate', operatorChallenge)
    .type('application/problem+json')
    .send(problem);
}

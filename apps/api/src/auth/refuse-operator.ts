import { operatorChallenge, operatorRefusal } from '@spillway/service';
import type { FastifyReply } from 'fastify';

/** Answers a request without the operator's password: a browser then asks for it. */
export const refuseOperator = (reply: FastifyReply): FastifyReply =>
  reply
    .status(401)
    .header('www-authenticate', operatorChallenge)
    .type('text/plain; charset=utf-8')
    .send(operatorRefusal);

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { openQueues, operatorCheck } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
import { refuseOperator } from '../auth/refuse-operator.js';
import { boardPolicy } from '../http/security-headers.js';

export const boardPath = '/queues';

/**
 * Mounts Bull Board, read only. It shows jobs of every project, so no project's key opens it: it asks for the
 * operator's password by HTTP Basic, with any user name. Jobs are started, retried and held in the console, where
 * that is written to the audit log.
 */
export async function mountQueueBoard(
  fastify: FastifyInstance,
  { redisUrl, password, onError }: { redisUrl: string; password: string; onError: (error: Error) => void },
): Promise<void> {
  const { queues, close } = openQueues(redisUrl, onError);
  const board = new FastifyAdapter().setBasePath(boardPath);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Spillway queues' } },
  });
  const isOperator = operatorCheck(password);
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        if (isOperator(request.headers.authorization)) {
          if (request.method !== 'GET' && request.method !== 'HEAD')
            return reply.status(405).header('allow', 'GET, HEAD').send();
          return void reply.header('content-security-policy', boardPolicy);
        }
        return refuseOperator(reply);
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: boardPath },
  );
  fastify.addHook('onClose', close);
}

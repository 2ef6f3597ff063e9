import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { openQueues } from '@spillway/service';
import type { FastifyInstance } from 'fastify';
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
  const expected = digestOf(password);
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        if (timingSafeEqual(digestOf(passwordOf(request.headers.authorization)), expected)) {
          if (request.method !== 'GET' && request.method !== 'HEAD')
            return reply.status(405).header('allow', 'GET, HEAD').send();
          return void reply.header('content-security-policy', boardPolicy);
        }
        return reply
          .status(401)
          .header('www-authenticate', 'Basic realm="Spillway queues", charset="UTF-8"')
          .type('text/plain; charset=utf-8')
          .send('This page needs the operator password (SPILLWAY_OPERATOR_PASSWORD).');
      });
      await scope.register(board.registerPlugin());
    },
    { prefix: boardPath },
  );
  fastify.addHook('onClose', close);
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The password of a header of HTTP Basic; an empty one, which no password is, when there is none. */
function passwordOf(header: string | undefined): string {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(header ?? '')?.[1] ?? '';
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

import type { FastifyInstance } from 'fastify';
import { routeOf } from '../auth/caller.js';
import { answerClientError } from './client-error.js';

/**
 * Aborts requests whose body takes longer than `requestMs`. Node's limit applies to the whole server, and a streamed
 * body may take longer; its handler measures the time.
 */
export function installRequestTimeout(fastify: FastifyInstance, requestMs: number): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers;
    if ((length !== '0' || encoding !== undefined) && !routeOf(request)?.streamed) {
      const giveUp = () => {
        if (raw.complete) return;
        if (reply.raw.headersSent) raw.socket.destroy();
        else answerClientError({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, raw.socket);
      };
      // Most bodies arrive with their headers: they are whole in a moment and need no timer.
      process.nextTick(() => {
        if (raw.complete || raw.destroyed) return;
        const timer = setTimeout(giveUp, requestMs);
        raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
      });
    }
    done();
  });
}

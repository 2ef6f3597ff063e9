import type { FastifyReply } from 'fastify';
import type { CalledRequest } from '../auth/caller.js';

/**
 * Runs work once the response is over, on every outcome: answered, aborted or timed out. All works of a request share
 * one listener: a listener for each cost more than most of what they do. Where the client has hung up already, as it may
 * while its key is looked up, that is now.
 */
export function whenClosed(request: CalledRequest, { raw }: FastifyReply, work: () => void): void {
  if (raw.destroyed) {
    work();
    return;
  }
  if (request.closing) {
    request.closing.push(work);
    return;
  }
  const closing = [work];
  request.closing = closing;
  raw.once('close', () => {
    for (const each of closing) each();
  });
}

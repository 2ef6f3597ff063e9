import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client that is still sending sees the response only if the server reads on. Beyond this limit the server responds
 * and closes the connection.
 */
const maxBytes = 64 * 1024 * 1024;
const maxMs = 2_000;

const givenUp = new WeakSet<Socket>();

/** Whether a body on this connection was refused: what follows on it is not a request. */
export const isGivenUp = (connection: Socket): boolean => givenUp.has(connection);

/** Reads and drops the rest of a refused body, within limits, so that the client receives the response. */
export function readOn(request: IncomingMessage): Promise<void> {
  givenUp.add(request.socket);
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = maxBytes;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done).off('error', done);
      resolve();
    };
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    };
    const timer = setTimeout(done, maxMs);
    request.on('data', count).on('end', done).on('close', done).on('error', done).resume();
  });
}

import { createServer } from 'node:net';
import { errorCode, StartError } from './start-error.js';

/** Everything embedded listens here and nowhere else: none of it is meant to be reached from outside. */
export const loopback = '127.0.0.1';

/** A port that nobody listened on a moment ago. Another process may take it first, so be ready to ask again. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Throws a StartError when `port` is taken. `purpose` says who wants it; `remedy` says what to do about it. */
export async function requireFreePort(port: number, purpose: string, remedy: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} (${purpose}) is already in use: ${remedy}.`);
    if (code === 'EACCES') throw new StartError(`Port ${port} (${purpose}) needs more rights: ${remedy}.`);
    throw error;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: loopback, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { errorCode, StartError } from './start-error.js';

/** All embedded servers listen here only: nothing is reachable from outside. */
export const loopback = '127.0.0.1';

/** Below the ephemeral ports, any of which an outgoing connection could take before its server does. */
const [lowest, highest] = [20_000, 32_000];

/** Returns a port that was free a moment ago. Another process may take it first: see onFreePort. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    try {
      return await listenOnce(port);
    } catch (error) {
      if (!['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '')) throw error;
    }
  }
}

const maxTries = 5;
/** How Node, requireFreePort, Postgres and Redis report it. */
const taken = /EADDRINUSE|is already in use|could not create any TCP|Failed listening on port/;

/** Starts a server on a free port, and on another one when that was taken meanwhile. */
export const onFreePort = <T>(start: (port: number) => Promise<T>): Promise<T> =>
  onFreePorts(1, ([port]) => start(port!));

/** Starts what needs several ports, all different, and starts it again on others when one was taken meanwhile. */
export async function onFreePorts<T>(count: number, start: (ports: number[]) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const ports = new Set<number>();
    while (ports.size < count) ports.add(await freePort());
    try {
      return await start([...ports]);
    } catch (error) {
      if (!taken.test(String(error)) || tries === maxTries) throw error;
    }
  }
}

/** Throws a StartError when `port` is taken. `purpose` names the server; `remedy` says what to do. */
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
      server.close(() => resolve(port));
    });
  });
}

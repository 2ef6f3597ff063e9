import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { errorCode, StartError } from './start-error.js';

/** All embedded servers listen here only: nothing is reachable from outside. */
export const loopback = '127.0.0.1';

/** Below the ephemeral ports, any of which an outgoing connection could take before its server does. */
const [lowest, highest] = [20_000, 26_000];
/** Who starts a server on a port holds the port that lies so far above it meanwhile: see onFreePorts. */
const toClaim = 6_000;

const somePort = (): number => randomInt(lowest, highest);

/** Returns a port that was free a moment ago. Another process may take it first: see onFreePort. */
export async function freePort(): Promise<number> {
  const { port, release } = await claimPort(somePort);
  await release();
  return port;
}

const maxTries = 5;
/** How Node, requireFreePort, Postgres and Redis report it. */
const taken = /EADDRINUSE|is already in use|could not create any TCP|Failed listening on port/;

/** Starts a server on a free port, and on another one when that was taken meanwhile. */
export const onFreePort = <T>(start: (port: number) => Promise<T>, candidate = somePort): Promise<T> =>
  onFreePorts(1, ([port]) => start(port!), candidate);

/**
 * Starts what needs several ports, all different, and starts it again on others when one was taken meanwhile. Until it
 * has started, nobody else gets these ports from here, in no process: of two servers that start on one port, the later
 * would find the earlier one answering, and take it for itself.
 */
export async function onFreePorts<T>(
  count: number,
  start: (ports: number[]) => Promise<T>,
  candidate = somePort,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const claims: Claim[] = [];
    try {
      while (claims.length < count) claims.push(await claimPort(candidate));
      return await start(claims.map(({ port }) => port));
    } catch (error) {
      if (!taken.test(String(error)) || tries === maxTries) throw error;
    } finally {
      await Promise.all(claims.map(({ release }) => release()));
    }
  }
}

interface Claim {
  port: number;
  release: () => Promise<void>;
}

/** A free port that nobody else claims. The claim ends with the process, however that ends. */
async function claimPort(candidate: () => number): Promise<Claim> {
  for (;;) {
    const port = candidate();
    const claim = await listenOn(port + toClaim).catch(unlessTaken);
    if (!claim) continue;
    const server = await listenOn(port).catch(unlessTaken);
    if (server) {
      await closed(server);
      return { port, release: () => closed(claim) };
    }
    await closed(claim);
  }
}

function unlessTaken(error: unknown): null {
  if (['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '')) return null;
  throw error;
}

/** Throws a StartError when `port` is taken. `purpose` names the server; `remedy` says what to do. */
export async function requireFreePort(port: number, purpose: string, remedy: string): Promise<void> {
  try {
    await closed(await listenOn(port));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} (${purpose}) is already in use: ${remedy}.`);
    if (code === 'EACCES') throw new StartError(`Port ${port} (${purpose}) needs more rights: ${remedy}.`);
    throw error;
  }
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen({ port, host: loopback, exclusive: true });
  await once(server, 'listening');
  return server;
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

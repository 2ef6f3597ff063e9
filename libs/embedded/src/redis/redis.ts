import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepRunning } from '../processes/keep-running.js';
import { type Leashed, leash } from '../processes/leash.js';
import { loopback, onFreePort, requireFreePort } from '../processes/port.js';
import { redisBinary } from './redis-binary.js';
import { StartError } from '../processes/start-error.js';
import { temporaryFolder } from '../folders/temporary-folder.js';

const readyWithinMs = 15_000;
const stopWithinMs = 5000;

export interface RedisOptions {
  /** On 127.0.0.1 only. Default: any free port. */
  port?: number;
  /** Password of every client. Default: none, for tests. */
  password?: string;
  /** Restarts it on the same port after an unexpected exit. */
  revive?: boolean;
  /** False: never install anything. */
  install?: boolean;
  signal?: AbortSignal;
  say?: (line: string) => void;
}

export type StartedRedis =
  | { url: string; stop(): Promise<void> }
  /** No Redis is available; the reason says how to get one. Workers then poll Postgres. */
  | { url: null; reason: string; stop(): Promise<void> };

/** Starts a Redis without persistence that ends with this process; it only carries hints. */
export const startRedis = (options: RedisOptions = {}): Promise<StartedRedis> =>
  options.port ? startOn(options.port, options) : onFreePort((port) => startOn(port, options));

async function startOn(port: number, options: RedisOptions): Promise<StartedRedis> {
  const { signal, say = () => undefined, install = true } = options;
  const binary = await redisBinary(say, install);
  signal?.throwIfAborted();
  if (binary.path === null) return { url: null, reason: binary.reason, stop: () => Promise.resolve() };
  if (options.port) await requireFreePort(options.port, 'Redis', 'stop what uses it or choose another port');

  const folder = await temporaryFolder();
  const logFile = join(folder.path, 'redis.log');
  // noeviction: a full Redis must refuse jobs instead of losing some.
  const config = join(folder.path, 'redis.conf');
  // In a file that only this user can read: process arguments are visible to everybody.
  await writeFile(config, options.password ? `requirepass ${options.password}\n` : '', { mode: 0o600 });
  const args = [
    config,
    ...['--port', `${port}`, '--bind', loopback, '--dir', folder.path],
    ...['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
  ];
  const launch = (): Leashed => leash({ command: binary.path, args, cwd: folder.path, logFile });
  const server = launch();
  let end = (): Promise<void> => server.stop(stopWithinMs);
  const stop = async (): Promise<void> => {
    await end();
    await folder.remove();
  };
  try {
    await untilReady(server, { port, password: options.password }, signal);
    if (options.revive) end = keepRunning(server, launch, { name: 'Redis', logFile, stopWithinMs, say });
    const user = options.password ? `:${encodeURIComponent(options.password)}@` : '';
    return { url: `redis://${user}${loopback}:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Answering {
  port: number;
  password?: string | undefined;
}

async function untilReady(server: Leashed, at: Answering, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + readyWithinMs;
  while (!(await pongs(at))) {
    signal?.throwIfAborted();
    if (!server.running()) {
      const lines = await server.lastLines(5);
      throw new StartError(`Redis did not start (${await server.exited}): ${lines.at(-1)?.trim()}`);
    }
    if (Date.now() > until) throw new StartError(`Redis did not answer in ${readyWithinMs / 1000} s.`);
    await sleep(20, undefined, { signal });
  }
}

/** One PING in Redis' inline protocol, without a client library. */
function pongs({ port, password }: Answering): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: loopback });
    const done = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => done(false));
    socket.once('error', () => done(false));
    const login = password ? `AUTH ${password}\r\n` : '';
    let answer = '';
    socket.once('connect', () => socket.write(`${login}PING\r\n`));
    socket.on('data', (data) => {
      answer += data.toString();
      if (/^[+-](PONG|(?!OK)\w+)/m.test(answer)) done(/^\+PONG/m.test(answer));
    });
  });
}

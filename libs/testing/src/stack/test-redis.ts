import { once } from 'node:events';
import { connect } from 'node:net';
import { onFreePort, startRedis } from '@spillway/embedded';
import { signalAll } from './process-tree.js';
import type { Running } from './services.js';

/** A Redis that a test may stop and kill: same port, and empty, after each start. */
export interface TestRedis extends Running {
  port: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After `kill` or `stop`. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay open without answers. */
  pause(): Promise<void>;
  resume(): void;
  /** One command in Redis' inline protocol, and the raw answer. */
  ask(command: string): Promise<string>;
}

/** A real, empty Redis. Tests of queues need one, so a machine without it is an error here. */
export async function startTestRedis(): Promise<TestRedis> {
  let paused: number[] = [];
  const launchOn = async (port: number) => {
    const redis = await startRedis({ port });
    if (redis.url === null) throw new Error(`Redis can't be started: ${redis.reason}`);
    return redis;
  };
  const first = await onFreePort(launchOn);
  let server: typeof first | null = first;
  const { url } = first;
  const port = Number(new URL(url).port);
  const launch = () => launchOn(port);

  const ask = (command: string) => askRedis(port, command);
  const pid = async () => Number(/process_id:(\d+)/.exec(await ask('INFO server'))![1]);
  const resume = () => signalAll(paused.splice(0), 'SIGCONT');
  const stop = async () => {
    resume();
    await server?.stop();
    server = null;
  };
  return {
    url,
    port,
    ask,
    resume,
    stop,
    kill: async () => {
      signalAll([await pid()], 'SIGKILL');
      await stop();
    },
    start: async () => {
      server ??= await launch();
    },
    pause: async () => {
      paused = [await pid()];
      signalAll(paused, 'SIGSTOP');
    },
  };
}

async function askRedis(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(5_000, () => socket.destroy(new Error(`Redis does not answer ${command}`)));
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  // QUIT ends the connection, so the end of the stream is the end of the answer.
  socket.end(`${command}\r\nQUIT\r\n`);
  await once(socket, 'close');
  return answer;
}

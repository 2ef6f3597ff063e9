import { nodeArguments } from '@spillway/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface AppProcess {
  url: string;
  pid: number;
  /** What it printed so far. */
  output(): string;
  /** SIGKILL: no chance to clean up. */
  kill(): Promise<void>;
  /** SIGTERM, and how it ended. */
  stop(): Promise<number | null>;
}

/** Starts one of the built apps as a process of its own and waits until it is ready. */
export const startApp = (
  app: 'api' | 'worker',
  port: number,
  env: Record<string, string>,
): Promise<AppProcess> =>
  startProgram({
    program: `apps/${app}/dist/main.js`,
    url: `http://127.0.0.1:${port}`,
    ready: '/readyz',
    env: { LOG_LEVEL: 'warn', API_PORT: `${port}`, WORKER_PORT: `${port}`, ...env },
  });

interface Program {
  program: string;
  url: string;
  /** Answers 200 when the program is ready. */
  ready: string;
  env: Record<string, string>;
}

export async function startProgram({ program, url, ready, env }: Program): Promise<AppProcess> {
  const child = spawn(process.execPath, [...nodeArguments, program], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-100_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  await untilReady(child, url + ready, () => printed);
  return {
    url,
    pid: child.pid!,
    output: () => printed,
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: () => end(child, 'SIGTERM'),
  };
}

async function untilReady(child: ChildProcess, url: string, printed: () => string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`An app ended while it started:\n${printed()}`);
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`An app did not become ready:\n${printed()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

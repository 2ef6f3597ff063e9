import { nodeArguments, nodeEnvironment } from '@spillway/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
// Sabotage changes modules as tsc wrote them, which the bundle does not read.
const main = process.env.SPILLWAY_UNBUNDLED === '1' ? 'main.js' : 'bundle/main.js';

/** Where an app runs: the repository, or the folder of this name to which deploy/collect.mjs wrote what its image has. */
const folderOf = (app: string): string =>
  process.env.SPILLWAY_IMAGES ? join(process.env.SPILLWAY_IMAGES, app) : root;

/**
 * A start makes much garbage and keeps most of it: collected from a small young generation as in production, it takes
 * a fifth of the CPU of a start.
 */
const roomToStart = ['--min-semi-space-size=16', '--max-semi-space-size=32'];

export interface AppProcess {
  url: string;
  pid: number;
  /** What it printed so far. */
  output(): string;
  /** SIGKILL: no cleanup. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with how it ended. */
  stop(): Promise<number | null>;
  /** SIGSTOP: the process exists and does nothing, as during a long pause of its machine. */
  pause(): void;
  resume(): void;
  /** Settles when it is gone, for any reason. */
  exited: Promise<Exit>;
  /** Starts the same program on the same port again after its end. */
  again(env?: Record<string, string>): Promise<AppProcess>;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Starts one of the built apps as a process and waits until it is ready. With `memory` as `production` has it. */
export const startApp = (
  app: 'api' | 'worker',
  port: number,
  env: Record<string, string>,
  memory: Memory = 'roomy',
): Promise<AppProcess> =>
  startProgram({
    folder: folderOf(app),
    program: `apps/${app}/dist/${main}`,
    memory,
    url: `http://127.0.0.1:${port}`,
    ready: '/readyz',
    // A policy file of the folder in which tests run is not theirs.
    env: {
      LOG_LEVEL: 'warn',
      API_PORT: `${port}`,
      WORKER_PORT: `${port}`,
      SPILLWAY_CONFIG: devNull,
      ...env,
    },
  });

/** Limits of a program's memory: those of production for tests that measure it. */
export type Memory = 'production' | 'roomy';

interface Program {
  /** Default: the repository. */
  folder?: string;
  program: string;
  memory: Memory;
  url: string;
  /** Answers 200 when the program is ready. */
  ready: string;
  env: Record<string, string>;
}

export async function startProgram(started: Program): Promise<AppProcess> {
  const { folder = root, program, memory, url, ready, env } = started;
  // Of an option that is given twice the last one counts.
  const options = memory === 'production' ? nodeArguments : [...nodeArguments, ...roomToStart];
  const child = spawn(process.execPath, [...options, program], {
    cwd: folder,
    env: { ...nodeEnvironment, ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-100_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await untilReady(child, url + ready, () => printed);
  return {
    url,
    pid: child.pid!,
    output: () => printed,
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: () => end(child, 'SIGTERM'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    exited,
    again: async (more = {}) => {
      // It would answer in place of the new one, and nobody would end it.
      if (child.exitCode === null && child.signalCode === null)
        throw new Error(`${program} still runs: stop it before it is started again.`);
      return startProgram({ ...started, env: { ...env, ...more } });
    },
  };
}

async function untilReady(child: ChildProcess, url: string, printed: () => string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`An app ended while it started:\n${printed()}`);
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    // Whoever answers on this port after its end is not the app.
    if (ready && child.exitCode === null) return;
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

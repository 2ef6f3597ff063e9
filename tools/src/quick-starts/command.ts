import { spawn } from 'node:child_process';
import { dirname, delimiter } from 'node:path';

export interface Command {
  /** As typed into a shell. */
  line: string;
  folder: string;
  env: NodeJS.ProcessEnv;
  maxSeconds: number;
  signal: AbortSignal;
}

export interface Ended {
  seconds: number;
  stdout: string;
  /** With what went to standard error. */
  printed: string;
}

const shownLines = 25;

/**
 * Runs a command line to its end and returns how long it took. Throws with its last lines when it fails, and ends it
 * with all that it started when it takes too long or the run is interrupted.
 */
export async function runLine({ line, folder, env, maxSeconds, signal }: Command): Promise<Ended> {
  signal.throwIfAborted();
  const started = performance.now();
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, all, tookTooLong] = ['', '', false];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    all += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => (all += chunk.toString()));
  const endGroup = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = setTimeout(() => {
    tookTooLong = true;
    endGroup();
  }, maxSeconds * 1000);
  signal.addEventListener('abort', endGroup);
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    signal.throwIfAborted();
    const last = all.trimEnd().split('\n').slice(-shownLines).join('\n');
    if (tookTooLong) throw new Error(`"${line}" took longer than ${maxSeconds} s:\n${last}`);
    if (status !== 0) throw new Error(`"${line}" ended with status ${status}:\n${last}`);
    return { seconds: (performance.now() - started) / 1000, stdout, printed: all };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', endGroup);
  }
}

/**
 * The environment of a person who has no checkout: nothing that `npm run` sets about this repository, no programs of
 * its packages, no keys of a provider, and the given Node.js. Registries and proxies stay as they are set.
 */
export function freshEnvironment(node: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle)_|npm_config_local_prefix$|INIT_CWD$|NODE_(ENV|OPTIONS|PATH|COMPILE_CACHE)$|OPENAI_|ANTHROPIC_|COPILOT_|SPILLWAY_)/.test(
        name,
      ),
  );
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => !/node_modules[\\/]\.bin/.test(path));
  return { ...Object.fromEntries(kept), PATH: [dirname(node), ...folders].join(delimiter) };
}

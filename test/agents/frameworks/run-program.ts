import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunOptions {
  /** The server whose address and key the program finds in its environment. */
  server: { url: string; key: string };
  /** The rest of its environment: that of the tests unless given. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/**
 * Runs a program to its end, without standard input, and returns what it printed. Rejects when its exit code is not 0.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { server, env = process.env, cwd }: RunOptions,
): Promise<{ stdout: string; stderr: string }> {
  const running = run(file, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...env, SPILLWAY_URL: server.url, SPILLWAY_KEY: server.key },
  });
  // Agents read a question from a standard input that stays open.
  running.child.stdin?.end();
  return running;
}

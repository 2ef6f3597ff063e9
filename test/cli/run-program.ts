import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const program = fileURLToPath(new URL('../../libs/cli/dist/main.js', import.meta.url));

export interface Server {
  url: string;
  key: string;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The environment of the program: nothing of the test's own settings reaches it. */
const environment = ({ url, key }: Server, more: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH!,
  SPILLWAY_URL: url,
  SPILLWAY_API_KEY: key,
  ...more,
});

/** Runs the built program to its end, as a shell would. */
export const runProgram = (
  server: Server,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const options = { env: environment(server, env), maxBuffer: 256 * 1024 * 1024, timeout: 60_000 };
    execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      // A signal, such as that of the timeout, is no exit code.
      if (typeof code !== 'number')
        reject(new Error(`It ended without an exit code.\n${stderr}`, { cause: error }));
      else resolve({ code, stdout, stderr });
    });
  });

/** Starts the built program, which goes on until it is ended. */
export const startCli = (server: Server, words: readonly string[]): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [program, ...words], { env: environment(server, {}) });

/** The values of a result in JSON lines. */
export const valuesOf = <T>(stdout: string): T[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { spillway } from '@spillway/cli';

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
  SPILLWAY_KEY: key,
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

/**
 * Runs a command in this process, which spares a start of Node.js. For what a command prints and does: `runProgram` is
 * for what concerns the process, such as its exit code, pipes and signals.
 */
export async function runCommand(
  server: Server,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Printed(), new Printed()];
  const code = await spillway(words, environment(server, env), { stdout, stderr });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Keeps what is written. */
class Printed extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  text = (): string => Buffer.concat(this.chunks).toString();
}

/** Returns what the built program prints in a shell, with `words` after its name there, and commands before it. */
export async function inShell(server: Server, words: string, before = ''): Promise<string> {
  const script = `${before}\n"${process.execPath}" "${program}" ${words}`;
  const child = spawn('bash', ['-c', script], { env: environment(server, {}) });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, 'close');
  return printed;
}

/** Starts the built program, which goes on until it is ended. */
export const startCli = (server: Server, words: readonly string[]): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [program, ...words], { env: environment(server, {}) });

/** The values of a result in JSON lines. */
export const valuesOf = <T>(stdout: string): T[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

/** What import wrote to standard error beside the warning that a session names no model, which has a test of its own. */
export const besideModelWarning = (stderr: string): string =>
  stderr.replace(/^spillway: Thread \S+: The thread names no model, .*\n/m, '');

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/**
 * What the compiler finds wrong in a file that stands beside an installed framework; empty for nothing. Throws when the
 * compiler did not run.
 */
export async function typeErrorsOf(file: string): Promise<string> {
  const options = '--noEmit --strict --target es2023 --module nodenext --skipLibCheck --ignoreConfig';
  const types = ['--types', 'node', '--typeRoots', `${packages}@types`];
  const words = [`${packages}typescript/bin/tsc`, ...options.split(' '), ...types, file];
  try {
    return (await run(process.execPath, words)).stdout;
  } catch (error) {
    // A compiler that found errors fails too, and prints them.
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    return stdout;
  }
}

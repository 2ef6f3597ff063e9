import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { repository } from './repository.js';

/** Runs a command of this repository's packages, in its root. Rejects when there is no such program. */
export function runCommand(
  [command, ...args]: string[],
  env: Record<string, string> = {},
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const path = [join(repository, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    const child = spawn(command!, args, {
      cwd: repository,
      env: { ...process.env, PATH: path, NO_COLOR: '1', ...env },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { repository } from '../repository.js';
import type { Check, Say } from './check.js';

export interface CheckResult {
  ok: boolean;
  seconds: number;
  output: string;
  /** Its messages, passed or not. */
  lines: string[];
}

export async function runCheck(check: Check): Promise<CheckResult> {
  const started = performance.now();
  const lines: string[] = [];
  const say: Say = (line) => lines.push(line);
  const { ok, output } = 'run' in check ? await runFunction(check.run, say) : await runCommand(check.command);
  return { ok, output, lines, seconds: (performance.now() - started) / 1000 };
}

async function runFunction(
  run: (say: Say) => Promise<string[]>,
  say: Say,
): Promise<{ ok: boolean; output: string }> {
  const complaints = await run(say);
  return { ok: complaints.length === 0, output: complaints.join('\n') };
}

/** Runs a command of this repository's packages, in its root. */
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

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildRuns } from './builds.js';
import { randomFrom, type FaultyRun, type MadeRun } from './faulty-run.js';
import { linterRuns } from './linters.js';
import { nodeTestRuns } from './node-test.js';
import { scriptRuns } from './scripts.js';
import { typescriptRuns } from './typescript.js';
import { vitestRuns } from './vitest.js';

export interface MadeLog {
  name: string;
  text: string;
  cause: string[];
  /** Causes that the tool did not say: then the label is wrong, and nothing is measured. */
  unsaid: string[];
}

const runs: FaultyRun[] = [
  ...nodeTestRuns,
  ...typescriptRuns,
  ...vitestRuns,
  ...linterRuns,
  ...buildRuns,
  ...scriptRuns,
];
const modules = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'node_modules');
const timeoutMs = 60_000;

/** Failure logs of real tools, each with one fault of our making: made anew in a temporary folder, two at a time. */
export async function makeLogs(seed: number): Promise<MadeLog[]> {
  const logs: MadeLog[] = [];
  const queue = runs.map((run, i) => ({ run, i }));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const made = next.run.make(randomFrom(seed + next.i));
      const text = await output(made);
      const plain = text.replace(ansi, '');
      logs[next.i] = {
        name: next.run.name,
        text,
        cause: made.cause,
        unsaid: made.cause.filter((text) => !plain.includes(text)),
      };
    }
  };
  await Promise.all([worker(), worker()]);
  return logs;
}

export const ansi = /\u001b\[[0-9;?]*[A-Za-z]/g;

async function output({ files, command, args }: MadeRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spillway-faulty-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await symlink(modules, join(folder, 'node_modules'));
    return await run(command, args, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], folder: string): Promise<string> {
  const path = [join(modules, '.bin'), dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  const env = {
    PATH: path,
    HOME: folder,
    FORCE_COLOR: '0',
    CI: 'true',
    npm_config_update_notifier: 'false',
    LANG: 'C.UTF-8',
  };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const child = spawn(command, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(chunks).toString('utf8').replaceAll(folder, '/repo')));
  });
}

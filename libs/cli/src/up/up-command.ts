import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, UsageError, type Command } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import { isSet, textOf } from '../program/option-values.js';
import { findCheckout } from './find-checkout.js';

export const up: Command = {
  summary: 'Starts a whole Spillway from its source: Postgres, Redis, API, worker, console.',
  operands: [],
  options: {
    dir: {
      type: 'string',
      value: 'folder',
      summary: "Spillway's source. Default: this folder, or one above it.",
    },
    docker: { type: 'boolean', summary: 'With Docker Compose, which builds the images from the source.' },
  },
  notes: `Needs a clone of Spillway's repository: no images of it are published. Runs "npm start" there, which prints the
addresses and the key and keeps its data in .spillway; --docker runs "docker compose up --build", which takes its
passwords from the environment or from .env. Ctrl-C stops it, and so does closing the terminal. Its output is its own,
so there is no --json.`,
  async run({ options, env, print }) {
    if (print.json)
      throw new UsageError('up has no --json: it prints what the programs print that it starts.');
    const from = textOf(options, 'dir') ?? process.cwd();
    const checkout = await findCheckout(from);
    if (checkout === null)
      throw new CommandError(
        'no_checkout',
        `${from} is not in a clone of Spillway, which is started from its source.`,
        'Clone its repository, run "npm ci" in it, and call again there or with --dir.',
        exitCode.failed,
      );
    if (isSet(options, 'docker'))
      return start({ program: 'docker', words: ['compose', 'up', '--build'], folder: checkout, env });
    const isInstalled = await access(join(checkout, 'node_modules')).then(
      () => true,
      () => false,
    );
    if (!isInstalled)
      throw new CommandError(
        'not_installed',
        `${checkout} has no node_modules.`,
        'Run "npm ci" there, then call again.',
        exitCode.failed,
      );
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    return start({ program: npm, words: ['start'], folder: checkout, env });
  },
};

interface Started {
  program: string;
  words: string[];
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How often it is looked whether everything ended, and how long. */
const lookEveryMs = 50;
const lookForMs = 60_000;

/**
 * Runs a program to its end, with all that it starts, and returns its exit code. A signal goes to all of them; then this
 * waits until the last one has ended, a minute at most, and returns 0.
 */
async function start({ program, words, folder, env }: Started): Promise<number> {
  // A group of their own: npm does not pass signals on to what it runs.
  const hasGroup = process.platform !== 'win32';
  const child = spawn(program, words, { cwd: folder, stdio: 'inherit', env: { ...env }, detached: hasGroup });
  let stopping = false;
  const stop = (received: NodeJS.Signals) => {
    stopping = true;
    // A closed terminal hangs up on this process alone. API and Compose stop in order after SIGTERM, not after SIGHUP.
    const signal = received === 'SIGHUP' ? 'SIGTERM' : received;
    if (hasGroup) signalGroup(child.pid, signal);
    else child.kill(signal);
  };
  for (const name of signals) process.on(name, stop);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ENOENT' ? missing(program, error) : error),
      );
      child.on('close', resolve);
    });
    const until = performance.now() + lookForMs;
    while (hasGroup && signalGroup(child.pid, 0) && performance.now() < until) await sleep(lookEveryMs);
    return stopping ? exitCode.done : (code ?? exitCode.failed);
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}

/** False when no process of the group is left. 0 looks without sending anything. */
function signalGroup(leader: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (leader === undefined) return false;
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

const missing = (program: string, cause: Error): CommandError =>
  new CommandError(
    'program_missing',
    `The program ${program} was not found.`,
    program === 'docker'
      ? 'Install Docker with its Compose plugin, or call without --docker.'
      : 'Install Node.js with npm.',
    exitCode.failed,
    { cause },
  );

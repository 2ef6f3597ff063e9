import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
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
passwords from the environment or from .env. Ctrl-C stops it. Its output is its own, so there is no --json.`,
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

/** Runs a program to its end, in this terminal. Returns its exit code; 0 after a signal that this program got too. */
function start({ program, words, folder, env }: Started): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: folder, stdio: 'inherit', env: { ...env } });
    let stopping = false;
    // A terminal sends Ctrl-C to the child as well. A signal sent to this process alone is passed on.
    const interrupted = () => (stopping = true);
    const terminated = () => {
      stopping = true;
      child.kill('SIGTERM');
    };
    process.on('SIGINT', interrupted).on('SIGTERM', terminated);
    const ended = () => process.off('SIGINT', interrupted).off('SIGTERM', terminated);
    child.on('error', (error: NodeJS.ErrnoException) => {
      ended();
      reject(error.code === 'ENOENT' ? missing(program, error) : error);
    });
    child.on('close', (code, signal) => {
      ended();
      resolve(stopping && signal !== null ? exitCode.done : (code ?? exitCode.failed));
    });
  });
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

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@spillway/embedded';
import { Command } from 'commander';
import { repository } from '../repository.js';
import { within } from '../within.js';

export interface DemoOptions {
  threads(): Promise<string[]>;
  window: number | null;
  exit: boolean;
}

/** Reads the command line; without --thread, all of samples/. Commander itself ends the process on --help and misuse. */
export function demoOptions(argv: string[]): DemoOptions {
  const command = new Command('npm run demo --')
    .description('Replays recorded agent threads through a Spillway of their own and checks every answer.')
    .option(
      '--thread <file>',
      'a thread in OpenAI format, one JSON message a line (repeatable)',
      collected,
      [],
    )
    .option(
      '--window <tokens>',
      'context window of the model (default: one that the thread outgrows)',
      within(1, 100_000_000),
    )
    .option('--exit', 'end when done; status 0 when every check held', false)
    .allowExcessArguments(false)
    .parse(argv);
  const { thread, window, exit } = command.opts<{ thread: string[]; window?: number; exit: boolean }>();
  const threads = (): Promise<string[]> => (thread.length > 0 ? Promise.resolve(thread) : samples());
  return { threads, window: window ?? null, exit };
}

const collected = (file: string, before: string[]): string[] => [...before, file];

/** The threads in samples/. Throws a StartError when there are none. */
export async function samples(): Promise<string[]> {
  const folder = join(repository, 'samples');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl')).sort();
  if (names.length === 0) throw new StartError(`No threads in ${folder}: name one with --thread FILE.jsonl.`);
  return names.map((name) => join(folder, name));
}

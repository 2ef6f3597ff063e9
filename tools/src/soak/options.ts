import { Command } from 'commander';
import { within } from '../within.js';

export interface SoakOptions {
  minutes: number;
  /** Messages per second. */
  rate: number;
  seed: number;
}

/** Reads the command line. Commander itself ends the process on --help and misuse. */
export function soakOptions(argv: string[]): SoakOptions {
  const command = new Command('npm run soak --')
    .description(
      'Loads a Spillway of its own, breaks something every 20 seconds, and checks that nothing was lost.',
    )
    .option('--minutes <n>', 'how long messages are posted', within(1, 720), 20)
    .option('--rate <n>', 'messages a second', within(1, 1_000), 100)
    .option(
      '--seed <n>',
      'of everything random, to repeat a run',
      within(0, 2 ** 32 - 1),
      Date.now() % 1_000_000,
    )
    .allowExcessArguments(false)
    .parse(argv);
  return command.opts<SoakOptions>();
}

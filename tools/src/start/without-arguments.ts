import { Command } from 'commander';

/** Answers --help, and refuses any other argument: a mistyped one must not start a server. Ends the process then. */
export function withoutArguments(name: string, description: string): void {
  new Command(name)
    .description(`${description} Settings are variables of the environment: docs/configuration.md.`)
    .allowExcessArguments(false)
    .parse();
}

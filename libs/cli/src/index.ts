import { UsageError, type Command, type Environment } from './command.js';
import { mcp } from './mcp/mcp-command.js';

/** Every command, by its name. */
const commands: Record<string, Command> = { mcp };

/** Runs a command and returns its exit code: 0, or 2 for a call that cannot be understood. */
export async function spillway(words: readonly string[], env: Environment): Promise<number> {
  const [name = '--help', ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(help());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}.\n\n${help()}`);
    if (rest.includes('--help') || rest.includes('-h')) console.log(command.help);
    else await command.run(rest, env);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // stdout may belong to a protocol.
    console.error(`spillway: ${error.message}`);
    return 2;
  }
}

function help(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
  return ['spillway <command>', '', ...lines, '', 'spillway <command> --help says more.'].join('\n');
}

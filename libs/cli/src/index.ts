import { commands } from './program/commands.js';
import { UsageError, type Command, type Environment } from './program/command.js';
import { exitCode } from './program/exit-code.js';
import { explainError, type Explanation } from './program/explain-error.js';
import { helpOf, overview } from './program/help-text.js';
import { isSet } from './program/option-values.js';
import { parseCall } from './program/parse-call.js';
import { printerTo, ReaderGoneError, type Output, type Printer } from './program/printer.js';
import { version } from './program/version.js';

/** Where the program prints its result, and everything else. */
export interface Outputs {
  stdout: Output;
  stderr: Output;
}

/** Runs a command and returns its exit code: one of `exitCode`. */
export async function spillway(
  words: readonly string[],
  env: Environment,
  { stdout, stderr }: Outputs = process,
): Promise<number> {
  const [name = '--help', ...rest] = words;
  const print = printerTo(stdout, stderr, {
    json: rest.includes('--json'),
    needsReader: commands[name]?.needsReader ?? false,
  });
  try {
    return await run(name, rest, env, print);
  } catch (error) {
    // The reader of a pipe, such as head, has enough.
    if (error instanceof ReaderGoneError) return exitCode.done;
    print.progress('');
    const explained = explainError(error, env);
    if (!explained) throw error;
    report(explained, print);
    return explained.exit;
  }
}

async function run(
  name: string,
  words: readonly string[],
  env: Environment,
  print: Printer,
): Promise<number> {
  if (name === '--version' || name === 'version') return say(print, `spillway ${version}`);
  if (name === '--help' || name === '-h') return say(print, overview(commands));
  if (name === 'help') {
    const [about] = words;
    return say(print, about === undefined ? overview(commands) : helpOf(about, commandNamed(about)));
  }
  const command = commandNamed(name);
  const { operands, options } = parseCall(name, command, words);
  if (isSet(options, 'help')) return say(print, helpOf(name, command));
  return (await command.run({ operands, options, env, print })) ?? exitCode.done;
}

async function say(print: Printer, text: string): Promise<number> {
  await print.line(text);
  return exitCode.done;
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new UsageError(
      `There is no command ${JSON.stringify(name)}.`,
      '`spillway --help` lists the commands.',
    );
  return command;
}

/** On stderr: stdout may belong to a protocol, or to a pipe. */
function report({ exit, ...error }: Explanation, print: Printer): void {
  if (print.json) return print.note(JSON.stringify({ error: { ...error, exit_code: exit } }));
  const request = error.request_id ? ` Request: ${error.request_id}.` : '';
  print.note(`spillway: ${[error.message, error.next].filter((text) => text !== '').join(' ')}${request}`);
}

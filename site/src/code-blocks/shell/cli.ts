import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repository } from '../../repository.js';

const helps = new Map<string, string | null>();

/** Returns the help of a command of the built program `spillway`, or null when there is no such command. */
function helpOf(command: string): string | null {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const { status, stdout, error } = spawnSync(
    process.execPath,
    [join(repository, 'libs/cli/dist/main.js'), ...(command === '' ? ['--help'] : [command, '--help'])],
    { encoding: 'utf8' },
  );
  if (error) throw error;
  const help = status === 0 ? stdout : null;
  helps.set(command, help);
  return help;
}

/** Reports a call of `spillway` whose command does not exist, or with options that its help does not name. */
export function cliComplaints(words: readonly string[]): string[] {
  const [command = '', ...rest] = words[0]?.startsWith('-') ? ['', ...words] : words;
  const help = helpOf(command);
  if (help === null) return [`spillway has no command "${command}"`];
  const named = new Set(help.match(/(?<![\w-])--?[a-z][\w-]*/g));
  return rest
    .filter((word) => word.startsWith('-'))
    .map((word) => word.split('=')[0]!)
    .filter((option) => !named.has(option) && option !== '--version')
    .map((option) => `spillway ${command} has no option ${option}`);
}

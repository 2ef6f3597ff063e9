import type { Command, Option } from '../program/command.js';

/** What a shell needs of a command. */
export interface CompletedCommand {
  name: string;
  summary: string;
  options: {
    name: string;
    short: string | null;
    takesValue: boolean;
    choices: readonly string[];
    summary: string;
  }[];
  /** Words that its first operand may be. */
  words: readonly string[];
  takesFile: boolean;
}

/** The table of commands as data. */
export const completedCommands = (
  commands: Readonly<Record<string, Command>>,
  common: Readonly<Record<string, Option>>,
): CompletedCommand[] =>
  Object.entries(commands).map(([name, { summary, operands, options }]) => ({
    name,
    summary,
    options: Object.entries({ ...options, ...common }).map(([option, about]) => ({
      name: option,
      short: about.short ?? null,
      takesValue: about.type === 'string',
      choices: about.choices ?? [],
      summary: about.summary,
    })),
    words: operands[0]?.choices ?? [],
    takesFile: operands.some(({ isFile }) => isFile === true),
  }));

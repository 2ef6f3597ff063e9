import type { Printer } from './printer.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An option of a command. */
export interface Option {
  type: 'string' | 'boolean';
  /** One letter. */
  short?: string;
  /** It may be given more than once. */
  multiple?: boolean;
  /** What stands for its value in help texts, as `<n>`. */
  value?: string;
  /** The values that it takes. Others are refused. */
  choices?: readonly string[];
  /** One line. */
  summary: string;
}

/** A word of the call that is no option. */
export interface Operand {
  name: string;
  required: boolean;
  /** It takes all words that are left. */
  rest?: boolean;
  choices?: readonly string[];
  /** A file: completions offer names of files. */
  isFile?: boolean;
}

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** A call of a command, understood. */
export interface Call {
  operands: readonly string[];
  options: Values;
  env: Environment;
  print: Printer;
}

/** A command of the program. Help texts and completions are made from it. */
export interface Command {
  /** One line, for the list of commands. */
  summary: string;
  operands: readonly Operand[];
  options: Readonly<Record<string, Option>>;
  /** What the help says beside the options. */
  notes: string;
  /** Ends when the reader of its result has gone. Other commands go on: they change something, or check it. */
  needsReader?: boolean;
  /** Runs until it is done, and returns an exit code other than 0 if there is one. Throws `UsageError`. */
  run(call: Call): Promise<number | void>;
}

/** The caller has to change the call, a setting or a file: the message, or `next`, says how. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly next = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** There is no key to call the server with. */
export class NoKeyError extends UsageError {}

/** It failed for a reason of the command's own. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly next: string,
    readonly exit: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A command of the program. */
export interface Command {
  /** One line, for the list of commands. */
  summary: string;
  /** What it takes and does. */
  help: string;
  /** Runs until it is done. Throws `UsageError` for a call that cannot be understood. */
  run(words: readonly string[], env: Environment): Promise<void>;
}

/** The caller has to change the call: the message says how. */
export class UsageError extends Error {}

/** Reports a count beside the result. */
export type Say = (line: string) => void;

/** A command of a package, or a function that returns complaints. */
export type Check = {
  name: string;
  /** Reads the results of tests, so it runs after them. */
  ofResults?: true;
} & ({ command: string[] } | { run: (say: Say) => Promise<string[]> });

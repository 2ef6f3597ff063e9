/** Says something beside passing or failing, as a count. */
export type Say = (line: string) => void;

/** A command of a package, or a function that gives complaints. */
export type Check = { name: string } & ({ command: string[] } | { run: (say: Say) => Promise<string[]> });

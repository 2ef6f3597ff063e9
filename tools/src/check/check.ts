/** A command of a package, or a function that gives complaints. */
export type Check = { name: string } & ({ command: string[] } | { run: () => Promise<string[]> });

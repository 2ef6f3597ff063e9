/**
 * Whether a tool prints a file, by its name. What stands in a file is not news of the thread: a file that speaks of
 * errors reports none, and reading a path is no change of it.
 */
export const readsFile = (tool: string): boolean =>
  /^(?:read|view|cat|open|get)_?(?:file|text|lines)?/i.test(tool);

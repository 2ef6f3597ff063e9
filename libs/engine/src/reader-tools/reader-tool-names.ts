/** The tools with which a model reads what left its context, by our names for them. */
export const readerTools = [
  'read_output',
  'grep_output',
  'outline_output',
  'search_history',
  'read_message',
] as const;
export type ReaderTool = (typeof readerTools)[number];

/** The names under which a model has them. */
export type ReaderToolNames = Record<ReaderTool, string>;

/** The names of a policy, with our own for those that it does not rename. */
export const readerToolNames = (renamed: Partial<ReaderToolNames> = {}): ReaderToolNames => ({
  ...(Object.fromEntries(readerTools.map((tool) => [tool, tool])) as ReaderToolNames),
  ...renamed,
});

/** The tool that has this name; undefined for any other tool. */
export const readerToolNamed = (names: ReaderToolNames, name: string): ReaderTool | undefined =>
  readerTools.find((tool) => names[tool] === name);

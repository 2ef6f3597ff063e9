/** What an output can hold. The engine decides; a test compares this list with the engine's. */
export const outputKinds = [
  'log',
  'json',
  'table',
  'html',
  'code',
  'diff',
  'listing',
  'search',
  'text',
] as const;

/** The kinds for a description: "log, json, ... or text". */
export const outputKindNames = `${outputKinds.slice(0, -1).join(', ')} or ${outputKinds.at(-1)}`;

/**
 * One pattern that finds what any of these finds, where they are tried in order: a sentence is compared with hundreds
 * of them, and a call of each takes longer than the comparison. Throws where their flags differ.
 */
export function oneOf(patterns: readonly RegExp[]): RegExp {
  const flags = new Set(patterns.map((pattern) => pattern.flags));
  if (flags.size !== 1) throw new Error(`Patterns with ${flags.size} sets of flags are not one.`);
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), [...flags][0]);
}

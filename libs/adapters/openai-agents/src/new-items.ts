/** Returns the items that are more often in the input than among what is recorded. */
export function notIn<Item>(
  recorded: readonly string[],
  input: readonly Item[],
  identities: readonly string[],
): Item[] {
  const left = new Map<string, number>();
  for (const one of recorded) left.set(one, (left.get(one) ?? 0) + 1);
  return input.filter((_, i) => {
    const count = left.get(identities[i]!) ?? 0;
    left.set(identities[i]!, count - 1);
    return count <= 0;
  });
}

/** Returns how many identities at the end of the first list the second one begins with. */
export function overlapOf(recorded: readonly string[], added: readonly string[]): number {
  for (let length = Math.min(recorded.length, added.length); length > 0; length--) {
    const end = recorded.slice(recorded.length - length);
    if (end.every((one, i) => one === added[i])) return length;
  }
  return 0;
}

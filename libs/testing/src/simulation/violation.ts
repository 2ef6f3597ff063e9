/** A promise of the product that a run saw broken. */
export class Violation extends Error {}

export function promise(kept: boolean, broken: () => string): asserts kept {
  if (!kept) throw new Violation(broken());
}

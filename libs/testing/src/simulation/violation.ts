/** A violated promise of the product. */
export class Violation extends Error {}

export function promise(kept: boolean, broken: () => string): asserts kept {
  if (!kept) throw new Violation(broken());
}

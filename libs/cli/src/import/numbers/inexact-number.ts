/**
 * A number of a file that JavaScript would write as another. It keeps its digits until it is known where it stands:
 * nothing is lost by one in a field that is not imported. In JSON it is a string of its digits.
 */
export class InexactNumber {
  constructor(readonly digits: string) {}

  toJSON(): string {
    return this.digits;
  }

  toString(): string {
    return this.digits;
  }
}

/**
 * Whether the API takes the number that a JSON text writes: integers up to 2^53 and larger ones that JavaScript writes
 * so, and nothing infinite. Fractions are rounded by every program. The engine decides it for the API, and is no part of
 * this package: a test of tools/src/agreement compares both.
 */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  // Not a number: the parser reports it.
  if (Number.isNaN(value)) return true;
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value) || String(value) === literal;
  const vanished = value === 0 && /[1-9]/.test(literal.split(/[eE]/)[0]!);
  return Number.isFinite(value) && !vanished;
}

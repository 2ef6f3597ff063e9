/**
 * Whether the number that a JSON text writes comes back from JavaScript as it is: integers up to 2^53 and larger ones
 * that JavaScript writes so, and nothing infinite. Fractions are rounded by every program.
 */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  // Not a number: the parser reports it.
  if (Number.isNaN(value)) return true;
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value) || String(value) === literal;
  const vanished = value === 0 && /[1-9]/.test(literal.split(/[eE]/)[0]!);
  return Number.isFinite(value) && !vanished;
}

const mayBeInexact = /\d{16}|\d[eE][-+]?\d{3}/;

const quoteInexact = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && !isExactNumber(context.source)
    ? context.source
    : value;

/** Parses JSON. A number that would come back as another, such as an id over 2^53, becomes a string of its digits. */
export const parseQuotingInexact = (json: string): unknown =>
  JSON.parse(json, mayBeInexact.test(json) ? quoteInexact : undefined) as unknown;

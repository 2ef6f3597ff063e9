/** A value that holds no others, and where it stands. */
export interface Leaf {
  path: string;
  value: string | number | bigint | boolean | null;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first leaves of a value, in order, `max` of them at most; depth is bounded by the parser. */
export function leavesOf(value: unknown, path: string, max: number, leaves: Leaf[] = []): Leaf[] {
  if (leaves.length >= max) return leaves;
  if (typeof value !== 'object' || value === null) {
    leaves.push({ path, value: value as Leaf['value'] });
    return leaves;
  }
  for (const key in value) {
    if (leaves.length >= max) break;
    const inner = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    leavesOf((value as Record<string, unknown>)[key], inner, max, leaves);
  }
  return leaves;
}

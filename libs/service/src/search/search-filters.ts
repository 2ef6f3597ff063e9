import type { OutputKind, Role } from '@spillway/engine';

/** Which messages can be hits; conditions are combined with AND. */
export interface SearchFilters {
  role?: Role | undefined;
  /** Name of the tool that a message calls or answers for. */
  tool?: string | undefined;
  /** What a tool result holds. */
  kind?: OutputKind | undefined;
  fromSeq?: number | undefined;
  toSeq?: number | undefined;
}

/** Roles that a search reads: results are ranked with the calls that they answer. */
export function rolesOf({ role }: SearchFilters): string[] | null {
  if (role === undefined) return null;
  return role === 'tool' ? ['tool', 'assistant'] : [role];
}

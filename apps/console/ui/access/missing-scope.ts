import type { Schemas } from '@spillway/client';

type Scope = Schemas['Scope'];

/** Returns the scope when it is missing among `has`, else null. An admin may do everything. */
export const missingScope = (has: readonly Scope[] | undefined, scope: Scope): Scope | null =>
  has === undefined || has.includes(scope) || has.includes('admin') ? null : scope;

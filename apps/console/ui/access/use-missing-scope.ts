'use client';

import type { Schemas } from '@spillway/client';
import { missingScope } from './missing-scope';
import { useSession } from './use-session';

/** Returns the scope when the key of this session lacks it, else null; null too while the session is being read. */
export const useMissingScope = (scope: Schemas['Scope']): Schemas['Scope'] | null =>
  missingScope(useSession()?.scopes, scope);

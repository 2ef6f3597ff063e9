import type { Schemas } from '@spillway/client';

export type Scope = Schemas['Scope'];

/** Usual purposes of keys. */
export const keyPresets: Record<string, { label: string; scopes: Scope[] }> = {
  agent: { label: 'Agent', scopes: ['messages:write', 'context:read', 'outputs:read'] },
  reader: { label: 'Read-only', scopes: ['context:read', 'outputs:read'] },
  admin: { label: 'Admin', scopes: ['admin'] },
};

export const scopeMeanings: Record<Scope, string> = {
  'messages:write': 'Create threads and record messages',
  'context:read': 'Read threads, messages, contexts and summaries',
  'outputs:read': 'Read and search offloaded outputs',
  'threads:manage': 'Change, compact, restore and erase threads',
  admin: 'Everything, keys and settings included',
};

export const expiries: Record<string, { label: string; days: number | null }> = {
  never: { label: 'Never', days: null },
  week: { label: 'In 7 days', days: 7 },
  month: { label: 'In 30 days', days: 30 },
  quarter: { label: 'In 90 days', days: 90 },
  year: { label: 'In a year', days: 365 },
};

/** Null: the key never ends. */
export const expiryDate = (days: number | null): string | null =>
  days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();

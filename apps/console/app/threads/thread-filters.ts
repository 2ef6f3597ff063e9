import type { Schemas } from '@spillway/client';

export type ThreadState = Schemas['ThreadCompaction']['state'];

export const states: readonly ThreadState[] = ['idle', 'due', 'running', 'backoff', 'parked'];

export const sorts = {
  updated: 'Last activity',
  created: 'Created',
  tokens: 'Live tokens',
  messages: 'Messages',
  id: 'Id',
} as const;

export type ThreadSort = keyof typeof sorts;

export interface ThreadFilters {
  q: string;
  state: ThreadState | null;
  sort: ThreadSort;
}

/** The filters an address asks for; what it gets wrong is left out rather than refused. */
export function readFilters(param: (name: string) => string | null | undefined): ThreadFilters {
  const state = param('state');
  const sort = param('sort');
  return {
    q: (param('q') ?? '').slice(0, 200),
    state: states.find((known) => known === state) ?? null,
    sort: sort && isSort(sort) ? sort : 'updated',
  };
}

export const isSort = (name: string): name is ThreadSort => Object.hasOwn(sorts, name);

export const threadsPerPage = 50;

/** The filters as the API's query. */
export const threadQuery = ({ q, state, sort }: ThreadFilters, cursor?: string) => ({
  limit: String(threadsPerPage),
  sort,
  ...(q ? { q } : {}),
  ...(state ? { state } : {}),
  ...(cursor ? { cursor } : {}),
});

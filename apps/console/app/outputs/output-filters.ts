import type { operations, Schemas } from '@spillway/client';

type State = Schemas['Output']['state'];
type Kind = NonNullable<NonNullable<operations['searchThread']['parameters']['query']>['kind']>;

export const sorts = { newest: 'Newest', biggest: 'Biggest', expiring: 'Expiring next' } as const;
export type OutputSort = keyof typeof sorts;

export const states: readonly State[] = ['ready', 'expired', 'corrupt'];
/** A kind of the API that is missing here does not compile. */
export const kinds = Object.keys({
  log: true,
  json: true,
  table: true,
  html: true,
  code: true,
  diff: true,
  listing: true,
  search: true,
  text: true,
} satisfies Record<Kind, true>);

/** The filters of the list in the URL. */
export interface OutputFilters {
  q: string;
  thread: string | null;
  tool: string | null;
  kind: string | null;
  state: State | null;
  pinned: boolean;
  sort: OutputSort;
}

/** Invalid parameters are ignored. */
export function readFilters(param: (name: string) => string | null | undefined): OutputFilters {
  const sort = param('sort');
  const thread = param('thread');
  return {
    q: (param('q') ?? '').slice(0, 200),
    thread: thread && /^[A-Za-z0-9._:@-]{1,200}$/.test(thread) ? thread : null,
    tool: param('tool')?.slice(0, 200) || null,
    kind: param('kind')?.slice(0, 40) || null,
    state: states.find((state) => state === param('state')) ?? null,
    pinned: param('pinned') === 'yes',
    sort: sort && Object.hasOwn(sorts, sort) ? (sort as OutputSort) : 'newest',
  };
}

export const writeFilters = (filters: OutputFilters): Record<string, string | null> => ({
  ...filters,
  q: filters.q || null,
  pinned: filters.pinned ? 'yes' : null,
  sort: filters.sort === 'newest' ? null : filters.sort,
});

export const noFilters: OutputFilters = readFilters(() => null);

/** The filters as the API's query. */
export const outputsQuery = (
  { q, thread, tool, kind, state, pinned, sort }: OutputFilters,
  cursor?: string,
) => ({
  limit: 100,
  sort,
  ...(q ? { q } : {}),
  ...(thread ? { thread } : {}),
  ...(tool ? { tool } : {}),
  ...(kind ? { kind } : {}),
  ...(state ? { state } : {}),
  ...(pinned ? { pinned: true } : {}),
  ...(cursor ? { cursor } : {}),
});

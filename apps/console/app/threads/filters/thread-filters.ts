import type { Schemas } from '@spillway/client';

export type ThreadState = Schemas['ThreadCompaction']['state'];

export const states: readonly ThreadState[] = ['idle', 'due', 'running', 'backoff', 'parked'];

export const sorts = ['updated', 'created', 'tokens', 'messages', 'id', 'fill'] as const;
export type ThreadSort = (typeof sorts)[number];
export type Direction = 'asc' | 'desc';

/** The default direction of a sort: ids ascending, all else descending. */
export const usualDirection = (sort: ThreadSort): Direction => (sort === 'id' ? 'asc' : 'desc');

/** Durations of filters, in hours. */
export const spans = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
export type Span = keyof typeof spans;

/** The filters of the thread list in the URL. */
export interface ThreadFilters {
  q: string;
  state: ThreadState[];
  model: string | null;
  errors: boolean;
  /** Minimum live tokens in percent of the limit. */
  fill: number | null;
  messages: number | null;
  tokens: number | null;
  /** Last activity within, or longer ago than. */
  active: Span | null;
  quiet: Span | null;
  compacted: Span | null;
  sort: ThreadSort;
  direction: Direction;
}

/** The filters in a URL; invalid ones are ignored. */
export function readFilters(param: (name: string) => string | null | undefined): ThreadFilters {
  const sort = sorts.find((known) => known === param('sort')) ?? 'updated';
  const asked = (param('state') ?? '').split(',');
  const direction = param('dir');
  return {
    q: (param('q') ?? '').slice(0, 200),
    state: states.filter((state) => asked.includes(state)),
    model: param('model')?.slice(0, 200) || null,
    errors: param('errors') === 'yes',
    fill: countOf(param('fill'), 999),
    messages: countOf(param('messages'), 2_147_483_647),
    tokens: countOf(param('tokens'), 2_147_483_647),
    active: spanOf(param('active')),
    quiet: spanOf(param('quiet')),
    compacted: spanOf(param('compacted')),
    sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : usualDirection(sort),
  };
}

/** The filters as a URL, without defaults. */
export function writeFilters(filters: ThreadFilters): Record<string, string | null> {
  const { q, state, model, errors, fill, messages, tokens, active, quiet, compacted, sort, direction } =
    filters;
  return {
    q: q || null,
    state: state.join(',') || null,
    model,
    errors: errors ? 'yes' : null,
    fill: fill === null ? null : String(fill),
    messages: messages === null ? null : String(messages),
    tokens: tokens === null ? null : String(tokens),
    active,
    quiet,
    compacted,
    sort: sort === 'updated' ? null : sort,
    dir: direction === usualDirection(sort) ? null : direction,
  };
}

export const noFilters: ThreadFilters = readFilters(() => null);

/** Equal filters always give equal text, for comparison and for saved views. */
export function filtersText(filters: ThreadFilters): string {
  const entries = Object.entries(writeFilters(filters)).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return new URLSearchParams(entries).toString();
}

export const filtersOfText = (text: string): ThreadFilters => {
  const params = new URLSearchParams(text);
  return readFilters((name) => params.get(name));
};

function countOf(text: string | null | undefined, most: number): number | null {
  if (!text || !/^\d{1,10}$/.test(text)) return null;
  return Math.min(most, Number(text));
}

function spanOf(text: string | null | undefined): Span | null {
  return text && Object.hasOwn(spans, text) ? (text as Span) : null;
}

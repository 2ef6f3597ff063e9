import { localList } from '@/ui/lists/local-list';
import { filtersText, noFilters, type ThreadFilters } from './thread-filters';

/** A saved list. */
export interface View {
  name: string;
  /** Its filters as text. */
  query: string;
}

const view = (name: string, filters: Partial<ThreadFilters>): View => ({
  name,
  query: filtersText({ ...noFilters, ...filters }),
});

export const builtInViews: readonly View[] = [
  view('All', {}),
  view('Near limit', { fill: 80, sort: 'fill' }),
  view('Parked or failing', { errors: true }),
  view('Biggest', { sort: 'tokens' }),
  view('Compacted in 24 hours', { compacted: '24h' }),
];

const isView = (item: unknown): item is View =>
  typeof item === 'object' &&
  item !== null &&
  'name' in item &&
  typeof item.name === 'string' &&
  'query' in item &&
  typeof item.query === 'string';

/** Views saved in this browser. */
export const savedViews = localList('spillway.thread-views', isView);

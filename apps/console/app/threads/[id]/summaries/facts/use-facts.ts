'use client';

import { keepPreviousData, useInfiniteQuery, useQuery, type QueryKey } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';

export type FactState = Schemas['SummaryFacts']['data'][number]['state'];
export type FactKind = Schemas['SummaryFacts']['data'][number]['kind'];
export type Statement = NonNullable<Schemas['SummaryFacts']['statements']>[number];

export interface FactFilter {
  state: FactState | null;
  kind: FactKind | null;
  range: 'chain' | 'own';
}

/** The beginnings of the keys of what is read about the facts of a generation. */
export const factsKeys = (threadId: string, generation: number): QueryKey[] => [
  ['facts', threadId, generation],
  ['facts-summary', threadId, generation],
];

/** Facts by weight, page by page. */
export const useFacts = (threadId: string, generation: number, { state, kind, range }: FactFilter) =>
  useInfiniteQuery({
    queryKey: ['facts', threadId, generation, range, state, kind],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/summaries/{generation}/facts', {
          params: {
            path: { id: threadId, generation },
            query: {
              limit: 50,
              range,
              ...(state ? { state } : {}),
              ...(kind ? { kind } : {}),
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

/** Returns the counts of a generation's facts and the sources of its statements. Skipped for withdrawn ones. */
export const useFactsSummary = (threadId: string, summary: Schemas['Summary']) =>
  useQuery({
    queryKey: ['facts-summary', threadId, summary.generation],
    queryFn: ({ signal }) => {
      const path = { id: threadId, generation: summary.generation };
      return dataOf(
        browserApi.GET('/v1/threads/{id}/summaries/{generation}/facts', {
          params: { path, query: { limit: 1 } },
          signal,
        }),
      );
    },
    enabled: summary.withdrawn_at === null,
    staleTime: 60_000,
  });

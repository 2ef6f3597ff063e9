'use client';

import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/browser-api';

const perBlock = 400;

interface Block {
  first: number;
  lines: string[];
}

/** Lines of an output by number, loaded in blocks where the list is looked at. An output never changes. */
export function useLines(outputId: string, first: number, last: number, total: number) {
  const from = Math.floor((first - 1) / perBlock);
  const to = Math.floor((Math.min(last, total) - 1) / perBlock);
  return useQueries({
    combine: collect,
    queries: Array.from({ length: to - from + 1 }, (_, i) => ({
      queryKey: ['lines', outputId, from + i],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readBlock(outputId, (from + i) * perBlock + 1, Math.min(total, (from + i + 1) * perBlock), signal),
      staleTime: Infinity,
      gcTime: 60_000,
    })),
  });
}

function collect(results: UseQueryResult<Block>[]) {
  const byNumber = new Map<number, string>();
  for (const { data } of results) data?.lines.forEach((line, i) => byNumber.set(data.first + i, line));
  const failed = results.find((result) => result.isError);
  return { byNumber, error: failed?.error ?? null, retry: () => void failed?.refetch() };
}

/** One answer holds a megabyte at most, so with very long lines a block takes several. */
async function readBlock(id: string, first: number, last: number, signal: AbortSignal): Promise<Block> {
  const lines: string[] = [];
  while (first + lines.length <= last) {
    const next = first + lines.length;
    const text = await dataOf<string>(
      browserApi.GET('/v1/outputs/{id}/content', {
        params: { path: { id }, query: { lines: `${next}-${last}` } },
        parseAs: 'text',
        signal,
      }),
    );
    const more = text.replace(/\n$/, '').split('\n');
    lines.push(...(text === '' ? ['[This line is too long to be shown here; download the output.]'] : more));
  }
  return { first, lines: lines.slice(0, last - first + 1) };
}

'use client';

import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';

const perBlock = 400;

interface Block {
  first: number;
  lines: string[];
}

/** Lines of an output by number, loaded in blocks as the list scrolls. An output never changes. */
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

/** Characters of a line in a block; the download has the rest. */
const maxLine = 500_000;

/** An answer is limited in tokens, so a block or a long line may take several. */
async function readBlock(id: string, first: number, last: number, signal: AbortSignal): Promise<Block> {
  const lines: string[] = [];
  let from = first;
  let column = 1;
  while (from <= last) {
    const { data, error, response } = await browserApi.GET('/v1/outputs/{id}/content', {
      params: {
        path: { id },
        query: { lines: `${from}-${last}`, columns: `${column}-`, max_tokens: 20000 },
      },
      parseAs: 'text',
      signal,
    });
    const text = await dataOf<string>(Promise.resolve({ data: data as string, error, response }));
    const more = text.replace(/\n$/, '').split('\n');
    if (column > 1) lines[lines.length - 1] += more.shift() ?? '';
    lines.push(...more);
    const next = /^lines=(\d+)-\d+(?:&columns=(\d+)-)?/.exec(response.headers.get('spillway-next') ?? '');
    if (!next) break;
    from = Number(next[1]);
    column = Number(next[2] ?? 1);
    if (column > maxLine) {
      lines[lines.length - 1] += ' [Truncated; download the output to see the whole line.]';
      from++;
      column = 1;
    }
  }
  return { first, lines: lines.slice(0, last - first + 1) };
}

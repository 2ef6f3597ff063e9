import { useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ProblemNote } from '@/ui/messages/problem-note';
import { JsonTree } from './json-tree';

/**
 * A message as it was posted, with its offloaded output and its media, which the timeline does not have. Its key begins
 * as those of the blocks do, so that an event that changes messages has it read again.
 */
export function RecordedJson({ threadId, seq }: { threadId: string; seq: number }) {
  const recorded = useQuery({
    queryKey: ['messages', threadId, 'recorded', seq],
    queryFn: async ({ signal }) => {
      const params = { path: { id: threadId, seq }, query: { view: 'original' as const } };
      const { data } = await dataOf(browserApi.GET('/v1/threads/{id}/messages/{seq}', { params, signal }));
      return data[0]?.message ?? null;
    },
    staleTime: Infinity,
    // A message may have megabytes.
    gcTime: 60_000,
  });
  if (recorded.isPending) return <p className="dim">Loading…</p>;
  if (recorded.isLoadingError)
    return <ProblemNote error={recorded.error} onRetry={() => void recorded.refetch()} />;
  return <JsonTree value={recorded.data} label={`Message ${seq} as recorded`} />;
}

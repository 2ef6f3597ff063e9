import { IconNotes } from '@tabler/icons-react';
import { QueryLink } from '@/ui/lists/query-link';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { Empty } from '@/ui/messages/empty';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import type { NamedSummary } from './use-named-summary';

/** In place of a generation that the URL names: it is being read, or why it is not shown. */
export function MissingGeneration({ named }: { named: NamedSummary }) {
  const { generation, isGone, alone } = named;
  if (isGone) {
    return (
      <Empty icon={IconNotes} title={`This thread has no generation ${generation}`}>
        <p>It was never made, or it was proposed and then rejected: rejected ones are deleted.</p>
        <QueryLink changes={{ gen: null, generation: null, base: null }} className="inline">
          Show the summaries of this thread
        </QueryLink>
      </Empty>
    );
  }
  if (!alone.isError) return <RowsLoading rows={8} />;
  return <ProblemPanel problem={problemOf(alone.error)} onRetry={() => void alone.refetch()} />;
}

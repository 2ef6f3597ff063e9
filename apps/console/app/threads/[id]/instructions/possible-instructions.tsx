'use client';

import { useQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { InstructionTable } from './instruction-table';
import classes from './instructions.module.css';

/** Of the sentences that may be an instruction, the newest: what a person may want to approve. */
const maxListed = 100;

/** What the user said that may be an instruction and that nobody decided on, newest first. */
export function PossibleInstructions({ threadId }: { threadId: string }) {
  const live = useLiveQueryOptions();
  const list = useQuery({
    ...live(['instructions', threadId, 'possible']),
    queryFn: ({ signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/instructions', {
          params: { path: { id: threadId }, query: { state: 'possible', limit: maxListed } },
          signal,
        }),
      ),
  });
  if (list.isLoadingError)
    return <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />;
  const rows = list.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="possible-instructions">
      <h2 id="possible-instructions" className={classes.heading}>
        May be instructions
      </h2>
      <p className={classes.about}>
        The user said these, and they may hold. They bind nothing: summaries show the likeliest after the
        instructions that hold, as far as there is room. Approve one to make it an instruction, or dismiss it
        to show it no more.
      </p>
      <InstructionTable threadId={threadId} instructions={rows} />
      {list.data?.next_cursor ? (
        <p className={classes.about}>Only the newest {maxListed} are listed.</p>
      ) : null}
    </section>
  );
}

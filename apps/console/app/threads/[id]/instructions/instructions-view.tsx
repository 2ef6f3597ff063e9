'use client';

import { IconListCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { Empty } from '@/ui/messages/empty';
import { LoadMore } from '@/ui/lists/load-more';
import { problemOf } from '@/ui/messages/problem';
import { ProblemPanel } from '@/ui/messages/problem-panel';
import { RowsLoading } from '@/ui/lists/rows-loading';
import { useLiveQueryOptions } from '@/ui/live/use-live-query-options';
import thread from '../thread.module.css';
import { AddInstruction } from './add-instruction';
import { InstructionTable } from './instruction-table';
import { PossibleInstructions } from './possible-instructions';
import classes from './instructions.module.css';

/** What the user told the assistant about how to behave from now on, newest first, and what people decided about it. */
export function InstructionsView({ threadId }: { threadId: string }) {
  const live = useLiveQueryOptions();
  const list = useInfiniteQuery({
    ...live(['instructions', threadId]),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        browserApi.GET('/v1/threads/{id}/instructions', {
          params: {
            path: { id: threadId },
            query: { limit: 200, ...(pageParam ? { cursor: pageParam } : {}) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div className={thread.scroll} tabIndex={0} role="group" aria-label="Standing instructions">
      <p className={classes.about}>
        A standing instruction is what the user told the assistant about how to behave from now on, such as
        &ldquo;never push to main&rdquo; or &ldquo;answer in German&rdquo;. Spillway finds them in the
        user&apos;s messages and shows those that hold, word for word, at the head of every summary. A newer
        one on the same matter retires the older one; one that was probably replaced stays in the context,
        after those that hold, until you decide. What you change here takes effect with the next summary.
      </p>
      <AddInstruction threadId={threadId} />
      {list.isPending ? (
        <RowsLoading rows={4} />
      ) : list.isLoadingError ? (
        <ProblemPanel problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : rows.length === 0 ? (
        <Empty icon={IconListCheck} title="No standing instructions">
          No message of the user says how to behave from now on. You can add an instruction above.
        </Empty>
      ) : (
        <>
          <InstructionTable threadId={threadId} instructions={rows} />
          <LoadMore list={list} />
        </>
      )}
      <PossibleInstructions threadId={threadId} />
    </div>
  );
}

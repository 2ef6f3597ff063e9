'use client';

import { IconRotateClockwise } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/browser-api';
import { ScopedButton } from '@/ui/scoped-button';
import { notifyDone, notifyProblem } from '@/ui/notify';

/** Takes a thread out of the parking lot, or ends its back-off, and has it looked at again. */
export function RetryButton({ threadId }: { threadId: string }) {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      dataOf(browserApi.POST('/v1/threads/{id}/retry', { params: { path: { id: threadId } } })),
    onSuccess: (thread) => {
      notifyDone('Retrying', `${threadId} is ${thread.compaction.state}; a worker takes it up next.`);
      return queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <ScopedButton
      scope="threads:manage"
      variant="default"
      leftSection={<IconRotateClockwise size={14} aria-hidden />}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      Retry
    </ScopedButton>
  );
}

'use client';

import { IconRotateClockwise } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ScopedButton } from '@/ui/access/scoped-button';
import { notifyDone, notifyFailed, notifyProblem } from '@/ui/messages/notify';
import { retryOutcome } from './retry-outcome';

const followMs = 400;

/** Retries the compaction of a thread and reports the outcome. */
export function RetryButton({ threadId }: { threadId: string }) {
  const queries = useQueryClient();
  const [following, setFollowing] = useState(false);
  const path = { id: threadId };
  const followed = useQuery({
    queryKey: ['retry', threadId],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/threads/{id}', { params: { path }, signal })),
    enabled: following,
    gcTime: 0,
    refetchInterval: followMs,
  });
  const outcome = following && followed.data ? retryOutcome(followed.data) : null;
  const ended = outcome && `${outcome.title} ${outcome.text}`;
  useEffect(() => {
    if (!outcome) return;
    setFollowing(false);
    queries.removeQueries({ queryKey: ['retry', threadId] });
    (outcome.good ? notifyDone : notifyFailed)(outcome.title, outcome.text);
    void queries.invalidateQueries();
    // Called once per outcome.
  }, [ended]);
  const retry = useMutation({
    mutationFn: () =>
      dataOf(browserApi.POST('/v1/threads/{id}/retry', { params: { path: { id: threadId } } })),
    onSuccess: (thread) => {
      const outcome = retryOutcome(thread);
      if (outcome?.good) notifyDone(outcome.title, outcome.text);
      else setFollowing(true);
      return queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <ScopedButton
      scope="threads:manage"
      variant="default"
      leftSection={<IconRotateClockwise size={14} aria-hidden />}
      loading={retry.isPending || following}
      onClick={() => retry.mutate()}
    >
      Retry
    </ScopedButton>
  );
}

'use client';

import { IconRotateClockwise } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ScopedButton } from '@/ui/access/scoped-button';
import { notifyDone, notifyFailed, notifyProblem } from '@/ui/messages/notify';
import { retryOutcome, type RetryOutcome } from './retry-outcome';
import { ReviewLink } from './review-link';

const followMs = 400;
/** A retry that no worker takes is reported, not followed for ever. */
const patienceMs = 60_000;

/** Retries the compaction of a thread and reports the outcome, also when its row has left the list by then. */
export function RetryButton({ threadId }: { threadId: string }) {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: async () => {
      const started = Date.now();
      let outcome = retryOutcome(
        await dataOf(browserApi.POST('/v1/threads/{id}/retry', { params: { path: { id: threadId } } })),
      );
      // The first answer may still be of the attempt before.
      if (!outcome?.good) outcome = null;
      void queries.invalidateQueries();
      while (!outcome && Date.now() - started < patienceMs) {
        await new Promise((resolve) => setTimeout(resolve, followMs));
        outcome = retryOutcome(
          await dataOf(browserApi.GET('/v1/threads/{id}', { params: { path: { id: threadId } } })),
        );
      }
      return outcome ?? stillWaiting(threadId);
    },
    onSuccess: ({ good, title, text, proposed }) => {
      const message =
        proposed === undefined ? (
          text
        ) : (
          <>
            {text} <ReviewLink threadId={threadId} generation={proposed} />
          </>
        );
      (good ? notifyDone : notifyFailed)(title, message);
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

const stillWaiting = (id: string): RetryOutcome => ({
  good: false,
  title: 'Still waiting',
  text: `${id} is not compacted after ${patienceMs / 1_000} s. Its page shows when it is.`,
});

'use client';

import { IconCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useQueryString } from '@/ui/lists/query-string';
import { staleKeys } from '@/ui/live/stale-keys';
import { notifyDone } from '@/ui/messages/notify';
import { problemOf } from '@/ui/messages/problem';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { factsKeys } from '../facts/use-facts';
import { AskFirst } from './ask-first';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
}

/** Approves or rejects a proposed summary. */
export function DecideProposal({ threadId, summary: { generation } }: Props) {
  const queries = useQueryClient();
  const [, change] = useQueryString();
  const params = { path: { id: threadId, generation } };
  // Not every query: the view asks for the facts of a generation that is gone until the list says so.
  const staleAfter = (type: 'summary.approved' | 'summary.rejected') =>
    staleKeys({ type, thread_id: threadId });
  const decided = (type: 'summary.approved' | 'summary.rejected', title: string, text: string) => {
    notifyDone(title, text);
    return Promise.all(staleAfter(type).map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  const approve = useConfirmation({
    stale: staleAfter('summary.rejected'),
    mutationFn: () => dataOf(browserApi.POST('/v1/threads/{id}/summaries/{generation}/approve', { params })),
    onSuccess: () =>
      decided('summary.approved', 'Approved', `A worker puts generation ${generation} in place.`),
  });
  const ofProposal = [['summary', threadId, generation], ...factsKeys(threadId, generation)];
  const reject = useConfirmation({
    stale: staleAfter('summary.rejected'),
    // What is awaited of it would be answered with 404.
    onMutate: () => Promise.all(ofProposal.map((queryKey) => queries.cancelQueries({ queryKey }))),
    mutationFn: () => dataOf(browserApi.POST('/v1/threads/{id}/summaries/{generation}/reject', { params })),
    goOn: () => change({ gen: null, generation: null, base: null }),
    onSuccess: () => decided('summary.rejected', 'Rejected', `Generation ${generation} takes no effect.`),
    onError: async (error) => {
      if (problemOf(error).status === 404) return;
      await Promise.all(ofProposal.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <>
      <AskFirst
        label="Approve"
        icon={<IconCheck size={14} aria-hidden />}
        title={`Approve generation ${generation}?`}
        yes={`Approve generation ${generation}`}
        action={approve}
      >
        <p style={{ margin: 0 }}>
          The model gets exactly this text in place of the messages that it covers, with the standing
          instructions of now at its head. It can be undone.
        </p>
      </AskFirst>
      <AskFirst
        label="Reject"
        icon={<IconX size={14} aria-hidden />}
        title={`Reject generation ${generation}?`}
        yes={`Reject generation ${generation}`}
        danger
        action={reject}
      >
        <p style={{ margin: 0 }}>
          It is deleted and takes no effect. Another one is proposed once the thread has grown by a twentieth
          of its trigger. Half-way from the trigger to the limit a proposal takes effect without an approval.
        </p>
      </AskFirst>
    </>
  );
}

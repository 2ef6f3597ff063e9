'use client';

import { IconRefresh } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { count } from '@/ui/quantity';
import type { RunKind } from '../../compact/use-compaction-run';
import { AskFirst } from './ask-first';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
  onRun: (kind: RunKind) => void;
}

export function RebuildSummary({ threadId, summary, onRun }: Props) {
  const rebuild = useConfirmation({
    mutationFn: () =>
      dataOf(browserApi.POST('/v1/threads/{id}/rebuild', { params: { path: { id: threadId } } })),
    onSuccess: () => onRun('rebuild'),
  });
  return (
    <AskFirst
      label="Rebuild"
      icon={<IconRefresh size={14} aria-hidden />}
      title="Rebuild from the original messages?"
      yes="Rebuild"
      action={rebuild}
    >
      <p style={{ marginTop: 0 }}>
        The summary is made again from the messages themselves, 1 to {count(summary.to_seq)} and on, without
        what generation {summary.generation} says. A model, if the policy names one, reads all of them again,
        which costs accordingly.
      </p>
      <p>
        What a caller wrote stays: its own summary word for word, and what was folded onto it is made again
        from there. To be rid of it, undo or quarantine that generation.
      </p>
      <p>
        Generation {summary.generation} is sent until the new one is there, and stays in the list; nothing is
        deleted.
      </p>
    </AskFirst>
  );
}

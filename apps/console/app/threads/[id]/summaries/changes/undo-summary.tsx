'use client';

import { IconArrowBackUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { useQueryString } from '@/ui/lists/query-string';
import { AskFirst } from './ask-first';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
}

/** Undoes the newest fold. */
export function UndoSummary({ threadId, summary: { generation } }: Props) {
  const queries = useQueryClient();
  const [, change] = useQueryString();
  const undo = useConfirmation({
    mutationFn: () =>
      dataOf(
        browserApi.DELETE('/v1/threads/{id}/summaries/{generation}', {
          params: { path: { id: threadId, generation } },
        }),
      ),
    goOn: () => change({ gen: null, generation: null, base: null }),
    onSuccess: ({ restored_from, compaction }) => {
      notifyDone(
        'Undone',
        restored_from === 0
          ? 'The model gets the original messages again.'
          : `Generation ${compaction.generation} is active, with the text of generation ${restored_from}.`,
      );
      return queries.invalidateQueries();
    },
  });
  return (
    <AskFirst
      label="Undo"
      icon={<IconArrowBackUp size={14} aria-hidden />}
      title={`Undo generation ${generation}?`}
      yes={`Undo generation ${generation}`}
      action={undo}
    >
      <p style={{ marginTop: 0 }}>
        What was active before this fold is active again from the next request on: the generation that it
        replaced, or the original messages. Generation {generation} stays in the list and can be restored.
      </p>
      <p>
        A thread that is over its trigger without the fold is folded again once it has grown by a twentieth of
        the trigger, or at a retry. When the messages would not fit the context’s limit, the undo is refused.
      </p>
    </AskFirst>
  );
}

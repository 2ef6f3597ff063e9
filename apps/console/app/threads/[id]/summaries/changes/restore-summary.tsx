'use client';

import { IconHistory } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { count } from '@/ui/quantity';
import { useQueryString } from '@/ui/lists/query-string';
import { AskFirst } from './ask-first';
import { toGeneration } from '../to-generation';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
}

export function RestoreSummary({ threadId, summary: { generation, to_seq } }: Props) {
  const queries = useQueryClient();
  const [, change] = useQueryString();
  const restore = useConfirmation({
    mutationFn: () =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/summaries/{generation}/restore', {
          params: { path: { id: threadId, generation } },
        }),
      ),
    goOn: (restored) => change(toGeneration(restored.generation)),
    onSuccess: (restored) => {
      notifyDone(
        'Restored',
        `Generation ${restored.generation} is active, with the text of generation ${generation}.`,
      );
      return queries.invalidateQueries();
    },
  });
  return (
    <AskFirst
      label="Restore"
      icon={<IconHistory size={14} aria-hidden />}
      title={`Restore generation ${generation}?`}
      yes={`Restore generation ${generation}`}
      action={restore}
    >
      <p style={{ marginTop: 0 }}>
        From the next request on the model gets this summary for messages 1–{count(to_seq)}, and every message
        after {count(to_seq)} verbatim again.
      </p>
      <p>
        It is copied into a new generation in a chain of its own; nothing is deleted, and newer generations
        can be restored in the same way. If the context is over its trigger then, it is compacted again from
        there.
      </p>
    </AskFirst>
  );
}

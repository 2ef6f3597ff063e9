'use client';

import { IconArchiveOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { problemOf } from '@/ui/messages/problem';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import type { RunKind } from '../../compact/use-compaction-run';
import { factsKeys } from '../facts/use-facts';
import { AskFirst } from './ask-first';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
  onRun: (kind: RunKind) => void;
}

export function QuarantineSummary({ threadId, summary: { generation }, onRun }: Props) {
  const queries = useQueryClient();
  const ofFacts = factsKeys(threadId, generation);
  const quarantine = useConfirmation({
    // The facts of a withdrawn generation are refused, those too that are being read.
    onMutate: () => Promise.all(ofFacts.map((queryKey) => queries.cancelQueries({ queryKey }))),
    mutationFn: () =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/summaries/{generation}/quarantine', {
          params: { path: { id: threadId, generation } },
        }),
      ),
    onSuccess: () => {
      onRun('quarantine');
      return queries.invalidateQueries({ queryKey: ['summaries', threadId] });
    },
    onError: async (error) => {
      if (problemOf(error).status === 404) return;
      await Promise.all(ofFacts.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <AskFirst
      label="Quarantine"
      icon={<IconArchiveOff size={14} aria-hidden />}
      title={`Quarantine generation ${generation}?`}
      yes={`Quarantine generation ${generation}`}
      danger
      action={quarantine}
    >
      <p style={{ marginTop: 0 }}>
        For a wrong summary. It is withdrawn at once, with every generation that was folded or restored from
        it: no context shows them again, and they cannot be restored.
      </p>
      <p>
        If the active summary is among them, the thread serves the messages that fit, and a new summary is
        made from the originals when needed. A caller&rsquo;s own summary that was active before them is put
        in place again. Withdrawn summaries stay readable here.
      </p>
    </AskFirst>
  );
}

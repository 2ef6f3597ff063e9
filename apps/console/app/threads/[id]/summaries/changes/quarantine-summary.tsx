'use client';

import { IconArchiveOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import type { RunKind } from '../../compact/use-compaction-run';
import { AskFirst } from './ask-first';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
  onRun: (kind: RunKind) => void;
}

export function QuarantineSummary({ threadId, summary: { generation }, onRun }: Props) {
  const quarantine = useConfirmation({
    mutationFn: () =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/summaries/{generation}/quarantine', {
          params: { path: { id: threadId, generation } },
        }),
      ),
    onSuccess: () => onRun('quarantine'),
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

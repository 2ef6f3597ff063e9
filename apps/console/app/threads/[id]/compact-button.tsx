'use client';

import { Button } from '@mantine/core';
import { IconArrowsMinimize } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/browser-api';
import { notifyDone, notifyProblem } from '@/ui/notify';

type Result = Schemas['CompactionResult'];

/** Asks for a compaction and waits a while for how it ends. */
export function CompactButton({ threadId }: { threadId: string }) {
  const queries = useQueryClient();
  const compact = useMutation({
    mutationFn: () =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/compactions', {
          params: { path: { id: threadId } },
          body: { wait_ms: 20_000 },
        }),
      ),
    onSuccess: (result) => {
      notifyDone(...sayResult(result));
      return queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <Button
      variant="default"
      leftSection={<IconArrowsMinimize size={14} aria-hidden />}
      loading={compact.isPending}
      onClick={() => compact.mutate()}
    >
      Compact now
    </Button>
  );
}

function sayResult({ result, compaction }: Result): [string, string] {
  switch (result) {
    case 'compacted':
      return [
        'Compacted',
        `Generation ${compaction.generation} stands for messages 1–${compaction.covered_through}.`,
      ];
    case 'below_trigger':
      return ['Nothing to do', 'The context is below its trigger.'];
    case 'nothing_to_compact':
      return ['Nothing to compact', 'All that is left is kept verbatim: recent, pinned or system messages.'];
    case 'running':
      return ['Still running', 'The compaction goes on; this page shows when it ends.'];
    case 'queued':
      return compaction.state === 'parked' || compaction.state === 'backoff'
        ? [
            'Did not succeed',
            `The thread is ${compaction.state}: ${compaction.reason ?? 'see its compactions'}.`,
          ]
        : ['Queued', 'No worker took it up yet; this page shows when one does.'];
  }
}

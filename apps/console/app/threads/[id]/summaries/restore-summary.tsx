'use client';

import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/browser-api';
import { notifyDone, notifyProblem } from '@/ui/notify';
import { count } from '@/ui/quantity';

interface Props {
  threadId: string;
  summary: Schemas['Summary'];
}

export function RestoreSummary({ threadId, summary }: Props) {
  const [asking, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const { generation, to_seq } = summary;
  const restore = useMutation({
    mutationFn: () =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/summaries/{generation}/restore', {
          params: { path: { id: threadId, generation: String(generation) } },
        }),
      ),
    onSuccess: (restored) => {
      close();
      notifyDone(
        'Restored',
        `Generation ${restored.generation} is active; it says what generation ${generation} said.`,
      );
      return queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={14} aria-hidden />} onClick={open}>
        Restore
      </Button>
      <Modal opened={asking} onClose={close} title={`Restore generation ${generation}?`} centered>
        <p style={{ marginTop: 0 }}>
          From the next request on the model gets this summary for messages 1–{count(to_seq)}, and every
          message after {count(to_seq)} verbatim again.
        </p>
        <p>
          It is copied into a new generation in a chain of its own; nothing is deleted, and newer generations
          can be restored in the same way. If the context is over its trigger then, it is compacted again from
          there.
        </p>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore generation {generation}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

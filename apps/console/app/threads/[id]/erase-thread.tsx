'use client';

import { Button, Group, Modal, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { ScopedButton } from '@/ui/access/scoped-button';

/** Erases a thread after its id is typed: it cannot be undone. */
export function EraseThread({ threadId }: { threadId: string }) {
  const [typed, setTyped] = useState('');
  const router = useRouter();
  const queries = useQueryClient();
  const erase = useConfirmation({
    mutationFn: () => doneOf(browserApi.DELETE('/v1/threads/{id}', { params: { path: { id: threadId } } })),
    goOn: () => router.push('/threads'),
    onSuccess: () => {
      notifyDone('Erased', `${threadId} and its messages, summaries and outputs are gone.`);
      return queries.invalidateQueries({ queryKey: ['threads'] });
    },
  });
  return (
    <>
      <ScopedButton
        scope="threads:manage"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => {
          setTyped('');
          erase.open();
        }}
      >
        Erase
      </ScopedButton>
      <Modal
        opened={erase.opened}
        onClose={erase.close}
        title="Erase this thread?"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p style={{ marginTop: 0 }}>
          Its messages, summaries and outputs are deleted and cannot be restored. The audit log keeps who
          erased it.
        </p>
        <TextInput
          label={`Type ${threadId} to confirm`}
          styles={{ label: { overflowWrap: 'anywhere' } }}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          spellCheck={false}
          data-autofocus
        />
        <ProblemNote error={erase.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={erase.close}>
            Cancel
          </Button>
          <Button color="red" disabled={typed !== threadId} loading={erase.isPending} onClick={erase.confirm}>
            Erase thread
          </Button>
        </Group>
      </Modal>
    </>
  );
}

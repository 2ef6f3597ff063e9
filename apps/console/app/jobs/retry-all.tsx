'use client';

import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRotateClockwise } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reasonWords } from '@/app/attempts/reason-words';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import { ScopedButton } from '@/ui/access/scoped-button';
import { count, plural } from '@/ui/quantity';

interface Props {
  state: 'parked' | 'backoff';
  reason: string | null;
  /** How many there are now. */
  matching: number;
}

/** Retries all matching threads, after a confirmation with their number. */
export function RetryAll({ state, reason, matching }: Props) {
  const [asking, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      dataOf(browserApi.POST('/v1/queue/retry', { body: { state, ...(reason ? { reason } : {}) } })),
    onSuccess: ({ retried, more }) => {
      close();
      notifyDone(
        'Retrying',
        `${plural(retried, 'thread')} due again; workers claim them next.${more ? ' There are more: retry again for those.' : ''}`,
      );
      return queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  const which =
    state === 'backoff' ? 'retrying' : reason === null ? 'parked' : `parked: ${reasonWords(reason).name}`;
  return (
    <>
      <ScopedButton
        scope="threads:manage"
        variant="default"
        leftSection={<IconRotateClockwise size={14} aria-hidden />}
        onClick={open}
      >
        Retry all {count(matching)} {which}
      </ScopedButton>
      <Modal
        opened={asking}
        onClose={close}
        title={`Retry ${plural(matching, 'thread')}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
        centered
      >
        <p style={{ marginTop: 0 }}>
          {matching === 1 ? 'The thread becomes' : 'These threads become'} due again and{' '}
          {matching === 1 ? 'its' : 'their'} attempts restart at 1. Workers claim{' '}
          {matching === 1 ? 'it' : 'them'} at once. Asking a model costs tokens.
        </p>
        <p>
          {state === 'parked'
            ? 'A thread that still fails is parked again with its reason. No message and no summary is lost.'
            : 'They are retried automatically; this skips the wait.'}
        </p>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button loading={retry.isPending} onClick={() => retry.mutate()}>
            Retry {plural(matching, 'thread')}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

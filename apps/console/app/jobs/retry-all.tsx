'use client';

import { Button, Group, Modal } from '@mantine/core';
import { IconRotateClockwise } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { reasonWords } from '@/app/attempts/reason-words';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
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
  const queries = useQueryClient();
  const retry = useConfirmation({
    mutationFn: () =>
      dataOf(browserApi.POST('/v1/queue/retry', { body: { state, ...(reason ? { reason } : {}) } })),
    onSuccess: ({ retried, more }) => {
      notifyDone(
        'Retrying',
        `${plural(retried, 'thread')} due again; workers claim them next.${more ? ' There are more: retry again for those.' : ''}`,
      );
      return queries.invalidateQueries();
    },
  });
  const which =
    state === 'backoff' ? 'retrying' : reason === null ? 'parked' : `parked: ${reasonWords(reason).name}`;
  return (
    <>
      <ScopedButton
        scope="threads:manage"
        variant="default"
        leftSection={<IconRotateClockwise size={14} aria-hidden />}
        onClick={retry.open}
      >
        {matching === 1 ? 'Retry' : 'Retry all'} {count(matching)} {which}
      </ScopedButton>
      <Modal
        opened={retry.opened}
        onClose={retry.close}
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
        <ProblemNote error={retry.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={retry.close} data-autofocus>
            Cancel
          </Button>
          <Button loading={retry.isPending} onClick={retry.confirm}>
            Retry {plural(matching, 'thread')}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

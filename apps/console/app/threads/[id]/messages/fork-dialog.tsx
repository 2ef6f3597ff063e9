'use client';

import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { threadPath } from '@/app/threads/thread-path';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ScopedButton } from '@/ui/access/scoped-button';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import { problemOf } from '@/ui/messages/problem';
import { placeNow } from '@/ui/place-now';
import { count } from '@/ui/quantity';

interface Props {
  threadId: string;
  /** The newest message of the fork; null while nothing is forked. */
  at: number | null;
  onClose: () => void;
}

/** Whether another id would do: it is malformed, or taken. */
const isOfField = (error: Error): boolean => [409, 422].includes(problemOf(error).status);

function fieldWords(error: Error): string {
  const { errors, detail } = problemOf(error);
  return errors?.find(({ path }) => path === '/id')?.message ?? detail;
}

/** Makes a thread with the messages up to one, and goes there; a person who went on meanwhile gets a link to it. */
export function ForkDialog({ threadId, at, onClose }: Props) {
  const [id, setId] = useState('');
  const router = useRouter();
  const queries = useQueryClient();
  const fork = useMutation({
    mutationFn: (body: { at: number; id?: string }) =>
      dataOf(browserApi.POST('/v1/threads/{id}/fork', { params: { path: { id: threadId } }, body })),
    onMutate: placeNow,
    onSuccess: (forked, _body, askedIn) => {
      if (placeNow() === askedIn) router.push(threadPath(forked.id));
      else notifyDone('Forked', <ForkLink from={threadId} to={forked.id} />);
      return queries.invalidateQueries({ queryKey: ['threads'] });
    },
    onError: (error) => {
      if (!isOfField(error)) notifyProblem(error);
    },
  });
  const submit = () => {
    if (at !== null) fork.mutate({ at, ...(id.trim() === '' ? {} : { id: id.trim() }) });
  };
  return (
    <Modal
      opened={at !== null}
      onClose={onClose}
      title={`Fork from message ${count(at ?? 0)}`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p style={{ marginTop: 0 }}>
          A new thread with the messages up to this one, the settings of this thread, and the summary that
          ends there or before. This thread stays as it is.
        </p>
        <TextInput
          label="Id of the new thread"
          description="Empty: a new UUID"
          value={id}
          error={fork.error && isOfField(fork.error) ? fieldWords(fork.error) : null}
          errorProps={{ role: 'alert' }}
          onChange={(event) => {
            fork.reset();
            setId(event.currentTarget.value);
          }}
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ScopedButton scope="messages:write" type="submit" loading={fork.isPending}>
            Fork
          </ScopedButton>
        </Group>
      </form>
    </Modal>
  );
}

const ForkLink = ({ from, to }: { from: string; to: string }) => (
  <>
    {from} was forked:{' '}
    <Link href={threadPath(to)} prefetch={false} className="mono inline">
      {to}
    </Link>
  </>
);

'use client';

import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ScopedButton } from '@/ui/access/scoped-button';
import { useSession } from '@/ui/access/use-session';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import classes from './instructions.module.css';
import { claimText, dropText, keepText, ownerOf, useKeptText } from './kept-text';

/** Adds an instruction that no message of the thread says. */
export function AddInstruction({ threadId }: { threadId: string }) {
  const queries = useQueryClient();
  const text = useKeptText(threadId);
  const session = useSession();
  const owner = session ? ownerOf(session) : null;
  useEffect(() => {
    if (owner !== null) claimText(threadId, owner);
  }, [threadId, owner]);
  const add = useMutation({
    mutationFn: (text: string) =>
      dataOf(
        browserApi.POST('/v1/threads/{id}/instructions', {
          params: { path: { id: threadId } },
          body: { text },
        }),
      ),
    onSuccess: (_added, sent) => {
      dropText(threadId, sent);
      notifyDone('Added', 'The next summary shows it.');
      return queries.invalidateQueries({ queryKey: ['instructions', threadId] });
    },
  });
  return (
    <form
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !add.isPending) add.mutate(text);
      }}
    >
      <TextInput
        size="xs"
        className={classes.input}
        aria-label="New instruction"
        placeholder="Add an instruction, such as: Mention the ticket in every commit."
        maxLength={1_000}
        value={text}
        onChange={(event) => keepText(threadId, event.currentTarget.value, owner)}
      />
      <ScopedButton
        scope="threads:manage"
        type="submit"
        size="xs"
        variant="default"
        disabled={text.trim() === ''}
        loading={add.isPending}
      >
        Add
      </ScopedButton>
      <ProblemNote error={add.error} />
    </form>
  );
}

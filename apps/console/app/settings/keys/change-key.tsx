'use client';

import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState, type FormEvent } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { problemOf } from '@/ui/messages/problem';
import { ProblemNote } from '@/ui/messages/problem-note';
import classes from '../settings.module.css';
import { BudgetField, budgetOf, type TypedBudget } from './budget-field';

type Key = Schemas['Key'];

/** A dialog that renames a key and changes its budget. Its scopes and its end stay as they were made. */
export function ChangeKey({ of }: { of: Key }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open} aria-label={`Change ${of.name}`}>
        Change
      </Button>
      <Modal opened={opened} onClose={close} title={`Change ${of.name}`} centered>
        <ChangeForm of={of} onDone={close} />
      </Modal>
    </>
  );
}

function ChangeForm({ of, onDone }: { of: Key; onDone: () => void }) {
  const [name, setName] = useState(of.name);
  const [budget, setBudget] = useState<TypedBudget>(of.max_chat_tokens_per_day ?? '');
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), max_chat_tokens_per_day: budgetOf(budget) };
      return dataOf(browserApi.PATCH('/v1/keys/{id}', { params: { path: { id: of.id } }, body }));
    },
    onSuccess: (key) => {
      onDone();
      notifyDone('Saved', `${key.name} was changed.`);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const problem = change.error ? problemOf(change.error) : null;
  const complaint = (field: string) => problem?.errors?.find(({ path }) => path === `/${field}`)?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={complaint('name')}
          errorProps={{ role: 'alert' }}
          maxLength={100}
          required
          data-autofocus
        />
        <BudgetField value={budget} onChange={setBudget} error={complaint('max_chat_tokens_per_day')} />
        {!problem?.errors?.length && <ProblemNote error={change.error} />}
      </Stack>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}

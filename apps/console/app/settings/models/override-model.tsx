'use client';

import { Button, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState, type FormEvent } from 'react';
import { browserApi, dataOf } from '@/ui/browser-api';
import { notifyDone } from '@/ui/notify';
import { problemOf } from '@/ui/problem';
import { count } from '@/ui/quantity';
import classes from '../settings.module.css';

/** A dialogue to set the window of a model: of this one, or of one whose name is typed. */
export function OverrideModel({ of }: { of: Schemas['Model'] | null }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant={of ? 'default' : 'filled'}
        onClick={open}
        aria-label={of ? `Override ${of.name}` : undefined}
      >
        {of ? 'Override' : 'Override a window'}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={of ? `Window of ${of.name}` : 'Override a window'}
        centered
      >
        <OverrideForm of={of} onDone={close} />
      </Modal>
    </>
  );
}

function OverrideForm({ of, onDone }: { of: Schemas['Model'] | null; onDone: () => void }) {
  const [name, setName] = useState(of?.name ?? '');
  const [tokens, setTokens] = useState<number | string>(of?.context_window ?? '');
  const queries = useQueryClient();
  const override = useMutation({
    mutationFn: () => {
      const params = { path: { name: name.trim() } };
      return dataOf(
        browserApi.PUT('/v1/models/{name}', { params, body: { context_window: Number(tokens) } }),
      );
    },
    onSuccess: (model) => {
      onDone();
      notifyDone('Overridden', `${model.name} has ${count(model.context_window)} tokens from now on.`);
      return queries.invalidateQueries({ queryKey: ['models'] });
    },
  });
  const problem = override.error ? problemOf(override.error) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    override.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {!of && (
          <TextInput
            label="Model"
            description="As threads name it."
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            spellCheck={false}
            data-autofocus
          />
        )}
        <NumberInput
          label="Context window"
          description="Tokens the model accepts, input and output together. Threads follow with their next message."
          value={tokens}
          onChange={setTokens}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          hideControls
          required
          error={problem && (problem.errors?.[0]?.message ?? problem.detail)}
          errorProps={{ role: 'alert' }}
          {...(of ? { 'data-autofocus': true } : {})}
        />
      </Stack>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={override.isPending} disabled={name.trim() === '' || tokens === ''}>
          Override
        </Button>
      </div>
    </form>
  );
}

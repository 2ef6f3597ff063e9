'use client';

import { Button, Checkbox, NativeSelect, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState, type FormEvent } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ProofField } from '@/ui/access/proof-field';
import { needsProof, useProof } from '@/ui/access/use-proof';
import { problemOf } from '@/ui/messages/problem';
import classes from '../settings.module.css';
import { BudgetField, budgetOf, type TypedBudget } from './budget-field';
import { expiries, expiryDate, keyPresets, scopeMeanings, type Scope } from './key-presets';
import own from './keys.module.css';

interface Props {
  onMade: (key: Schemas['KeyCreated']) => void;
  onCancel: () => void;
}

const sameScopes = (a: readonly Scope[], b: readonly Scope[]) =>
  a.length === b.length && a.every((scope) => b.includes(scope));

export function KeyForm({ onMade, onCancel }: Props) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(keyPresets.agent!.scopes);
  const [expiry, setExpiry] = useState('quarter');
  const [budget, setBudget] = useState<TypedBudget>('');
  const create = useMutation({
    mutationFn: async () => {
      await proof.show();
      const body = {
        name: name.trim(),
        scopes,
        expires_at: expiryDate(expiries[expiry]?.days ?? null),
        max_chat_tokens_per_day: budgetOf(budget),
      };
      return dataOf(browserApi.POST('/v1/keys', { body }));
    },
    onSuccess: onMade,
  });
  const proof = useProof(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const problem = create.error ? problemOf(create.error) : null;
  const complaint = (field: string) => problem?.errors?.find(({ path }) => path.startsWith(field))?.message;
  const [ofName, ofBudget] = [complaint('/name'), complaint('/max_chat_tokens_per_day')];
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="The purpose of the key. The audit log shows this name."
          placeholder="checkout agent"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={ofName}
          maxLength={100}
          required
          data-autofocus
        />
        <div role="group" aria-label="Presets" className={own.presets}>
          {Object.entries(keyPresets).map(([id, preset]) => (
            <UnstyledButton
              key={id}
              className={own.preset}
              aria-pressed={sameScopes(preset.scopes, scopes)}
              onClick={() => setScopes(preset.scopes)}
            >
              {preset.label}
            </UnstyledButton>
          ))}
        </div>
        <Checkbox.Group
          label="Scopes"
          value={scopes}
          onChange={(value) => setScopes(value)}
          error={scopes.length === 0 ? 'A key needs at least one scope.' : undefined}
        >
          <Stack gap={6} mt={6}>
            {Object.entries(scopeMeanings).map(([scope, meaning]) => (
              <Checkbox key={scope} value={scope} label={scope} description={meaning} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
          data={Object.entries(expiries).map(([value, { label }]) => ({ value, label }))}
        />
        <BudgetField value={budget} onChange={setBudget} error={ofBudget} />
        <ProofField proof={proof} />
        {problem && !ofName && !ofBudget && !needsProof(create.error) && (
          <p role="alert" className={own.problem}>
            {problem.detail}
          </p>
        )}
      </Stack>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={create.isPending}
          disabled={name.trim() === '' || scopes.length === 0 || (proof.asked && proof.key === '')}
        >
          Create key
        </Button>
      </div>
    </form>
  );
}

'use client';

import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { missingScope } from '@/ui/access/missing-scope';
import { ProofField } from '@/ui/access/proof-field';
import { needsProof, useProof } from '@/ui/access/use-proof';
import { useSession } from '@/ui/access/use-session';
import { problemOf } from '@/ui/messages/problem';
import classes from './access.module.css';

type Scope = Schemas['ThreadTokenCreate']['scopes'][number];

/** What each scope opens of the one thread. */
const meanings: Record<Scope, string> = {
  'messages:write': 'Record messages, upload outputs, keep and release',
  'context:read': 'Read messages, contexts and summaries, and search',
  'outputs:read': 'Read and search its offloaded outputs',
  'threads:manage': 'Change, compact, restore and erase this thread',
};
const scopeNames = Object.keys(meanings) as Scope[];
const usual: Scope[] = ['messages:write', 'context:read', 'outputs:read'];

const lifetimes = [
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '28800', label: '8 hours' },
  { value: '86400', label: '1 day' },
];
/** How many live tokens a thread has at most. */
const maxTokens = 100;

interface Props {
  threadId: string;
  live: number;
  onIssued: (issued: Schemas['ThreadTokenCreated']) => void;
  onCancel: () => void;
}

export function TokenForm({ threadId, live, onIssued, onCancel }: Props) {
  const own = useSession()?.scopes;
  const [chosen, setChosen] = useState(usual);
  const [lifetime, setLifetime] = useState('3600');
  const scopes = chosen.filter((scope) => missingScope(own, scope) === null);
  const create = useMutation({
    mutationFn: async () => {
      await proof.show();
      const params = { path: { id: threadId } };
      const body = { scopes, ttl_s: Number(lifetime) };
      return dataOf(browserApi.POST('/v1/threads/{id}/tokens', { params, body }));
    },
    onSuccess: onIssued,
  });
  const proof = useProof(create.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack gap="sm">
        <Checkbox.Group
          label="Scopes"
          value={scopes}
          onChange={setChosen}
          error={scopes.length === 0 ? 'A token needs at least one scope.' : undefined}
        >
          <Stack gap={6} mt={6}>
            {scopeNames.map((scope) => {
              const missing = missingScope(own, scope) !== null;
              return (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scope}
                  description={missing ? 'Your key does not have it.' : meanings[scope]}
                  disabled={missing}
                />
              );
            })}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Valid for"
          description="It ends earlier with the key of this session, but not when you sign out."
          value={lifetime}
          onChange={(event) => setLifetime(event.currentTarget.value)}
          data={lifetimes}
        />
        {live >= maxTokens && (
          <p className={classes.problem}>
            This thread has {maxTokens} tokens, the maximum: a new one revokes the oldest.
          </p>
        )}
        <ProofField proof={proof} />
        {create.error && !needsProof(create.error) && (
          <p role="alert" className={classes.problem}>
            {problemOf(create.error).detail}
          </p>
        )}
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={create.isPending}
          disabled={scopes.length === 0 || (proof.asked && proof.key === '')}
        >
          Issue token
        </Button>
      </Group>
    </form>
  );
}

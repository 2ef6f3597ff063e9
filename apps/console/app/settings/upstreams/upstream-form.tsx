import { Button, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState, type FormEvent } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ProofField } from '@/ui/access/proof-field';
import { needsProof, useProof } from '@/ui/access/use-proof';
import { notifyDone } from '@/ui/messages/notify';
import { problemOf } from '@/ui/messages/problem';
import classes from '../settings.module.css';
import type { Provider } from './providers';

interface Props {
  provider: Provider;
  of: Schemas['Upstream'] | null;
  onDone: () => void;
}

/** Address, key and models. The key is sent only when one is typed: the API keeps a stored one at the same address. */
export function UpstreamForm({ provider, of, onDone }: Props) {
  const [baseUrl, setBaseUrl] = useState(of?.base_url ?? provider.baseUrl);
  const [key, setKey] = useState('');
  const [models, setModels] = useState(of?.models.join('\n') ?? '');
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      await proof.show();
      return dataOf(
        browserApi.PUT('/v1/upstreams/{provider}', {
          params: { path: { provider: provider.name } },
          body: {
            base_url: baseUrl.trim(),
            models: models.split(/\s+/).filter(Boolean),
            ...(key === '' ? {} : { key }),
          },
        }),
      );
    },
    onSuccess: ({ base_url: saved }) => {
      onDone();
      notifyDone('Saved', `The next call goes to ${saved}.`);
      return queries.invalidateQueries({ queryKey: ['upstreams'] });
    },
  });
  const proof = useProof(save.error);
  const problem = save.error && !needsProof(save.error) ? problemOf(save.error) : null;
  const complaint = (field: string) =>
    problem?.errors?.find(({ path }) => path === field || path.startsWith(`${field}/`))?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Base URL"
          description="As the provider’s SDK takes it."
          value={baseUrl}
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
          required
          spellCheck={false}
          data-autofocus
          error={complaint('/base_url')}
          errorProps={{ role: 'alert' }}
        />
        <PasswordInput
          label="Key"
          description={`Stored encrypted, never shown again.${of?.has_key ? ' Empty: the stored key stays.' : ''}`}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          error={complaint('/key')}
          errorProps={{ role: 'alert' }}
        />
        <Textarea
          label="Models"
          description="The names that may be called, one to a line. Empty: all."
          value={models}
          onChange={(event) => setModels(event.currentTarget.value)}
          rows={4}
          spellCheck={false}
          error={complaint('/models')}
          errorProps={{ role: 'alert' }}
        />
        <ProofField proof={proof} />
        {problem && !problem.errors?.length && (
          <p role="alert" style={{ margin: 0, color: 'var(--bad)' }}>
            {problem.detail}
          </p>
        )}
      </Stack>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={save.isPending}
          disabled={baseUrl.trim() === '' || (proof.asked && proof.key === '')}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

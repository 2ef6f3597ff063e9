import { Alert, Button, Checkbox, Group, Modal, SimpleGrid, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState, type FormEvent } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ProofField } from '@/ui/access/proof-field';
import { needsProof, useProof } from '@/ui/access/use-proof';
import { eventTypes } from '@/ui/live/event-types';
import { problemOf } from '@/ui/messages/problem';
import { NewSecret } from './new-secret';

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Asks for the URL and the events, and then shows the secret once. */
export function CreateWebhook({ opened, onClose, onCreated }: Props) {
  const [created, setCreated] = useState<Schemas['WebhookCreated'] | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Modal
      // A webhook may be created after its dialog was closed.
      opened={opened || created !== null}
      onClose={close}
      title={created ? 'Keep the secret' : 'Add webhook'}
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      // A click outside the dialog or Escape must not lose what is shown only once.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created ? (
        <NewSecret secret={created.secret} onDone={close}>
          <p style={{ marginTop: 0 }}>
            Your receiver verifies events with it. It is shown only once: store it now, or rotate it later.
          </p>
        </NewSecret>
      ) : (
        <WebhookForm
          onCancel={close}
          onCreated={(webhook) => {
            setCreated(webhook);
            onCreated(webhook.id);
          }}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  onCancel: () => void;
  onCreated: (created: Schemas['WebhookCreated']) => void;
}

function WebhookForm({ onCancel, onCreated }: FormProps) {
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState<string[]>([]);
  const create = useMutation({
    mutationFn: async () => {
      await proof.show();
      const body = { url, description, types: types as Schemas['EventType'][] };
      return dataOf(browserApi.POST('/v1/webhooks', { body }));
    },
    onSuccess: (webhook) => {
      onCreated(webhook);
      return queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const proof = useProof(create.error);
  const problem = create.isError && !needsProof(create.error) ? problemOf(create.error) : null;
  const ofUrl = problem?.errors?.find(({ path }) => path === '/url')?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="URL"
        placeholder="https://example.com/spillway"
        required
        data-autofocus
        value={url}
        error={ofUrl && `The URL ${ofUrl}.`}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label="Description"
        placeholder="What it is for"
        mt="sm"
        maxLength={200}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox.Group
        label="Events"
        description="Leave empty for all events"
        mt="sm"
        value={types}
        onChange={setTypes}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={10} mt={6}>
          {eventTypes.map((type) => (
            <Checkbox key={type} size="sm" value={type} label={type} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <ProofField proof={proof} mt="md" />
      {problem && !ofUrl && (
        <Alert color="red" mt="md" title={problem.title} role="alert">
          {problem.detail}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending} disabled={proof.asked && proof.key === ''}>
          Add webhook
        </Button>
      </Group>
    </form>
  );
}

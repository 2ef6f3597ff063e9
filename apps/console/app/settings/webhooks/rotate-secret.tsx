import { ActionIcon, Button, Group, Modal, NativeSelect } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { ProofField } from '@/ui/access/proof-field';
import { needsProof, useProof } from '@/ui/access/use-proof';
import { exactTime } from '@/ui/exact-time';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { NewSecret } from './new-secret';
import { webhooksKey, type Webhook } from './use-webhooks';
import classes from './webhooks.module.css';

const hourMs = 3_600_000;
/** How long the replaced secret signs too. */
const overlaps = [
  { value: String(7 * 24 * hourMs), label: '7 days' },
  { value: String(24 * hourMs), label: '1 day' },
  { value: String(hourMs), label: '1 hour' },
  { value: '0', label: 'Not at all' },
];

/** Replaces the secret after a confirmation, and then shows the new one once. */
export function RotateSecret({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState(String(24 * hourMs));
  const [rotated, setRotated] = useState<Schemas['WebhookRotated'] | null>(null);
  const rotate = useConfirmation({
    mutationFn: async () => {
      await proof.show();
      return dataOf(
        browserApi.POST('/v1/webhooks/{id}/rotate-secret', {
          params: { path: { id: webhook.id } },
          body: { overlap_ms: Number(overlap) },
        }),
      );
    },
    onSuccess: (answer) => {
      setRotated(answer);
      return queries.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  const proof = useProof(rotate.error);
  const shown = rotated !== null;
  const close = () => {
    setRotated(null);
    rotate.close();
  };
  return (
    <>
      <ActionIcon
        aria-label={`Rotate the secret of ${webhook.url}`}
        title="Rotate the secret"
        onClick={rotate.open}
      >
        <IconKey size={15} aria-hidden />
      </ActionIcon>
      <Modal
        // A secret may arrive after its dialog was closed.
        opened={rotate.opened || shown}
        onClose={close}
        title={shown ? 'Keep the secret' : 'Rotate the secret?'}
        centered
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
        // A click outside the dialog or Escape must not lose what is shown only once.
        closeOnClickOutside={!shown}
        closeOnEscape={!shown}
      >
        {shown ? (
          <NewSecret secret={rotated.secret} onDone={close}>
            <p style={{ marginTop: 0 }}>
              It signs what is sent to <code className={classes.address}>{webhook.url}</code> from now on, and
              is shown only once.{' '}
              {overlap === '0'
                ? 'The old secret signs nothing any more: change the receiver now.'
                : `The old secret signs too until ${exactTime(rotated.previous_secret_until)}: change the receiver before then.`}
            </p>
          </NewSecret>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (!rotate.isPending) rotate.confirm();
            }}
          >
            <p style={{ marginTop: 0 }}>
              <code className={classes.address}>{webhook.url}</code> gets a new secret, which is shown once.
              The old one cannot be restored.{' '}
              {webhook.previous_secret_until !== null &&
                `The one before it, which signs until ${exactTime(webhook.previous_secret_until)}, stops at once.`}
            </p>
            <NativeSelect
              label="The old secret signs too for"
              description="A receiver accepts an event when one of its signatures is good, so it loses none while you change it."
              value={overlap}
              onChange={(event) => setOverlap(event.currentTarget.value)}
              data={overlaps}
              {...(overlap === '0' && {
                error: 'The receiver refuses every event until it has the new secret.',
              })}
              errorProps={{ role: 'alert' }}
            />
            <ProofField proof={proof} mt="md" />
            {!needsProof(rotate.error) && <ProblemNote error={rotate.error} />}
            <Group justify="flex-end" mt="lg">
              <Button variant="default" onClick={close} data-autofocus>
                Cancel
              </Button>
              <Button
                type="submit"
                color={overlap === '0' ? 'red' : undefined}
                loading={rotate.isPending}
                disabled={proof.asked && proof.key === ''}
              >
                Rotate the secret
              </Button>
            </Group>
          </form>
        )}
      </Modal>
    </>
  );
}

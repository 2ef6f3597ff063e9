import { ActionIcon, Button, Group, Modal } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { webhooksKey, type Webhook } from './use-webhooks';
import classes from './webhooks.module.css';

/** Asks for confirmation and names what is deleted. */
export function RemoveWebhook({ webhook }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const remove = useConfirmation({
    mutationFn: () =>
      doneOf(browserApi.DELETE('/v1/webhooks/{id}', { params: { path: { id: webhook.id } } })),
    onSuccess: () => {
      notifyDone('Removed', `Nothing is sent to ${webhook.url} any more.`);
      return queries.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  return (
    <>
      <ActionIcon aria-label={`Remove ${webhook.url}`} onClick={remove.open}>
        <IconTrash size={15} aria-hidden />
      </ActionIcon>
      <Modal
        opened={remove.opened}
        onClose={remove.close}
        title="Remove this webhook?"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p>
          <code className={classes.address}>{webhook.url}</code> gets no more events. Its pending deliveries,
          its history and its secret are deleted. This cannot be undone.
        </p>
        <ProblemNote error={remove.error} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={remove.close} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={remove.confirm}>
            Remove webhook
          </Button>
        </Group>
      </Modal>
    </>
  );
}

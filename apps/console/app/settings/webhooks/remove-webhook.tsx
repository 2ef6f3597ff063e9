import { ActionIcon, Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useWebhookActions, type Webhook } from './use-webhooks';

/** Asks for confirmation and names what is deleted. */
export function RemoveWebhook({ webhook }: { webhook: Webhook }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { remove } = useWebhookActions(webhook);
  return (
    <>
      <ActionIcon aria-label={`Remove ${webhook.url}`} onClick={open}>
        <IconTrash size={15} aria-hidden />
      </ActionIcon>
      <Modal
        opened={opened}
        onClose={close}
        title="Remove this webhook?"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p>
          <code>{webhook.url}</code> gets no more events. Its pending deliveries, its history and its secret
          are deleted. This cannot be undone.
        </p>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove webhook
          </Button>
        </Group>
      </Modal>
    </>
  );
}

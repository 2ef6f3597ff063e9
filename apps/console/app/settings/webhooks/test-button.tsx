import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useWebhookActions, type Webhook } from './use-webhooks';

/** Sends an event of type webhook.test, and shows where it can be seen. */
export function TestButton({ webhook, onSent }: { webhook: Webhook; onSent: () => void }) {
  const { test } = useWebhookActions(webhook);
  return (
    <Button
      variant="default"
      leftSection={<IconSend size={14} aria-hidden />}
      disabled={!webhook.enabled}
      loading={test.isPending}
      onClick={() => test.mutate(undefined, { onSuccess: onSent })}
    >
      Test
    </Button>
  );
}

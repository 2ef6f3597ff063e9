import { Button, Group } from '@mantine/core';
import type { Schemas } from '@spillway/client';
import { Copy } from '@/ui/copy';
import classes from './webhooks.module.css';
import { useFocusOnMount } from '../use-focus-on-mount';

/** The secret of a webhook that was just made. Nobody can see it again. */
export function NewSecret({ created, onDone }: { created: Schemas['WebhookCreated']; onDone: () => void }) {
  const secret = useFocusOnMount();
  return (
    <>
      <p>
        Your receiver verifies events with it. It is shown only once: store it now, or remove the webhook and
        create another.
      </p>
      <div className={classes.secret}>
        <code ref={secret} tabIndex={-1}>
          {created.secret}
        </code>
        <Copy text={created.secret} label="Copy the secret" />
      </div>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </>
  );
}

'use client';

import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import classes from '../settings.module.css';
import type { Provider } from './providers';

/** Asks for confirmation and names what is deleted. */
export function RemoveUpstream({ provider: { name, label } }: { provider: Provider }) {
  const queries = useQueryClient();
  const remove = useConfirmation({
    mutationFn: () =>
      doneOf(browserApi.DELETE('/v1/upstreams/{provider}', { params: { path: { provider: name } } })),
    onSuccess: () => {
      notifyDone('Removed', `Calls to ${label} go to the server’s provider.`);
      return queries.invalidateQueries({ queryKey: ['upstreams'] });
    },
  });
  const title = `Remove the upstream for ${label}`;
  return (
    <>
      <Button variant="default" onClick={remove.open} aria-label={title}>
        Remove
      </Button>
      <Modal
        opened={remove.opened}
        onClose={remove.close}
        title={`${title}?`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p style={{ marginTop: 0 }}>
          Its key is deleted. The next call goes to the server’s provider, at the operator’s expense and with
          the operator’s list of models.
        </p>
        <ProblemNote error={remove.error} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={remove.close} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={remove.confirm}>
            Remove upstream
          </Button>
        </div>
      </Modal>
    </>
  );
}

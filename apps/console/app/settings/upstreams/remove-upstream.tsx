'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import classes from '../settings.module.css';
import type { Provider } from './providers';

/** Asks for confirmation and names what is deleted. */
export function RemoveUpstream({ provider: { name, label } }: { provider: Provider }) {
  const [asking, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      doneOf(browserApi.DELETE('/v1/upstreams/{provider}', { params: { path: { provider: name } } })),
    onSuccess: () => {
      close();
      notifyDone('Removed', `Calls to ${label} go to the server’s provider.`);
      return queries.invalidateQueries({ queryKey: ['upstreams'] });
    },
    onError: notifyProblem,
  });
  const title = `Remove the upstream for ${label}`;
  return (
    <>
      <Button variant="default" onClick={open} aria-label={title}>
        Remove
      </Button>
      <Modal
        opened={asking}
        onClose={close}
        title={`${title}?`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <p style={{ marginTop: 0 }}>
          Its key is deleted. The next call goes to the server’s provider, at the operator’s expense and with
          the operator’s list of models.
        </p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove upstream
          </Button>
        </div>
      </Modal>
    </>
  );
}

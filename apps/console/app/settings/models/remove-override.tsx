'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import classes from '../settings.module.css';

export function RemoveOverride({ of }: { of: Schemas['Model'] }) {
  const [asking, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => doneOf(browserApi.DELETE('/v1/models/{name}', { params: { path: { name: of.name } } })),
    onSuccess: () => {
      close();
      notifyDone('Removed', `The registry applies to ${of.name} again.`);
      return queries.invalidateQueries({ queryKey: ['models'] });
    },
    onError: notifyProblem,
  });
  return (
    <>
      <Button variant="default" onClick={open} aria-label={`Remove the override of ${of.name}`}>
        Remove
      </Button>
      <Modal opened={asking} onClose={close} title={`Remove the override of ${of.name}?`} centered>
        <p style={{ marginTop: 0 }}>
          Its prices are removed too. The registry applies again; an unknown model gets a window of 8,192
          tokens. Threads follow with their next message, and some may be compacted sooner.
        </p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Take it back
          </Button>
        </div>
      </Modal>
    </>
  );
}

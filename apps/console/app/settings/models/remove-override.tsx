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
      notifyDone('Removed', `What the registry knows of ${of.name} counts again.`);
      return queries.invalidateQueries({ queryKey: ['models'] });
    },
    onError: notifyProblem,
  });
  return (
    <>
      <Button variant="default" onClick={open} aria-label={`Take back what is set of ${of.name}`}>
        Remove
      </Button>
      <Modal opened={asking} onClose={close} title={`Take back what is set of ${of.name}?`} centered>
        <p style={{ marginTop: 0 }}>
          Its prices go too. What the registry knows of this model counts again; if it knows nothing, its
          threads get a window of 8,192 tokens. They follow with their next message, and some may be compacted
          sooner.
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

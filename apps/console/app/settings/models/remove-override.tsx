'use client';

import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import classes from '../settings.module.css';

export function RemoveOverride({ of }: { of: Schemas['Model'] }) {
  const queries = useQueryClient();
  const remove = useConfirmation({
    mutationFn: () => doneOf(browserApi.DELETE('/v1/models/{name}', { params: { path: { name: of.name } } })),
    onSuccess: () => {
      notifyDone('Removed', `The registry applies to ${of.name} again.`);
      return queries.invalidateQueries({ queryKey: ['models'] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={remove.open} aria-label={`Remove the override of ${of.name}`}>
        Remove
      </Button>
      <Modal
        opened={remove.opened}
        onClose={remove.close}
        title={`Remove the override of ${of.name}?`}
        centered
      >
        <p style={{ marginTop: 0 }}>
          Its prices are removed too. The registry applies again; an unknown model gets a window of 8,192
          tokens. Threads follow with their next message, and some may be compacted sooner.
        </p>
        <ProblemNote error={remove.error} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={remove.close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={remove.isPending} onClick={remove.confirm}>
            Take it back
          </Button>
        </div>
      </Modal>
    </>
  );
}

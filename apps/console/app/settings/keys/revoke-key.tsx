'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone, notifyProblem } from '@/ui/messages/notify';
import classes from '../settings.module.css';

/** Asks for confirmation: a revoked key cannot be restored. */
export function RevokeKey({ of, isOwn }: { of: Schemas['Key']; isOwn: boolean }) {
  const [asking, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => doneOf(browserApi.DELETE('/v1/keys/{id}', { params: { path: { id: of.id } } })),
    onSuccess: () => {
      close();
      notifyDone('Revoked', `${of.name} stops working within five seconds.`);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
    onError: notifyProblem,
  });
  return (
    <>
      <Button variant="default" onClick={open} aria-label={`Revoke ${of.name}`}>
        Revoke
      </Button>
      <Modal opened={asking} onClose={close} title={`Revoke ${of.name}?`} centered>
        <p style={{ marginTop: 0 }}>
          Within five seconds every request with <span className="mono">{of.prefix}…</span> is refused, and
          every console session begun with it ends. Nothing that it wrote is lost. A revoked key cannot be
          restored: create another one.
        </p>
        {isOwn && (
          <p>
            <b>You are signed in with this key: you will be signed out.</b>
          </p>
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke the key
          </Button>
        </div>
      </Modal>
    </>
  );
}

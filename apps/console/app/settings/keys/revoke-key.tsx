'use client';

import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { notifyDone } from '@/ui/messages/notify';
import { ProblemNote } from '@/ui/messages/problem-note';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import classes from '../settings.module.css';

/** Asks for confirmation: a revoked key cannot be restored. */
export function RevokeKey({ of, isOwn }: { of: Schemas['Key']; isOwn: boolean }) {
  const queries = useQueryClient();
  const revoke = useConfirmation({
    mutationFn: () => doneOf(browserApi.DELETE('/v1/keys/{id}', { params: { path: { id: of.id } } })),
    onSuccess: () => {
      notifyDone('Revoked', `${of.name} stops working within five seconds.`);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={revoke.open} aria-label={`Revoke ${of.name}`}>
        Revoke
      </Button>
      <Modal opened={revoke.opened} onClose={revoke.close} title={`Revoke ${of.name}?`} centered>
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
        <ProblemNote error={revoke.error} />
        <div className={classes.buttons}>
          <Button variant="default" onClick={revoke.close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={revoke.isPending} onClick={revoke.confirm}>
            Revoke the key
          </Button>
        </div>
      </Modal>
    </>
  );
}

'use client';

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, doneOf } from '@/ui/access/browser-api';
import { ConfirmationDialog } from '@/ui/messages/confirmation-dialog';
import { notifyDone } from '@/ui/messages/notify';
import { useConfirmation } from '@/ui/messages/use-confirmation';
import { tokensKey } from './use-thread-tokens';

interface Props {
  threadId: string;
  token: Schemas['ThreadToken'];
}

/** Asks for confirmation: a revoked token cannot be restored. */
export function RevokeToken({ threadId, token }: Props) {
  const queries = useQueryClient();
  const name = token.id.slice(0, 8);
  const revoke = useConfirmation({
    mutationFn: () =>
      doneOf(
        browserApi.DELETE('/v1/threads/{id}/tokens/{token_id}', {
          params: { path: { id: threadId, token_id: token.id } },
        }),
      ),
    onSuccess: () => {
      notifyDone('Revoked', `The token ${name} stops working within five seconds.`);
      return queries.invalidateQueries({ queryKey: tokensKey(threadId) });
    },
  });
  return (
    <>
      <Button variant="default" onClick={revoke.open} aria-label={`Revoke the token ${name}`}>
        Revoke
      </Button>
      <ConfirmationDialog title={`Revoke the token ${name}?`} yes="Revoke the token" danger action={revoke}>
        <p style={{ marginTop: 0 }}>
          Within five seconds every request with it is refused, and its event streams end. Nothing that it
          wrote is lost. A revoked token cannot be restored: issue another one.
        </p>
      </ConfirmationDialog>
    </>
  );
}

'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { NewToken } from './new-token';
import { TokenForm } from './token-form';
import { tokensKey } from './use-thread-tokens';

interface Props {
  threadId: string;
  /** The live tokens of the thread, as far as they are known. */
  live: number;
}

/** A dialog that issues a token and then shows it once. */
export function CreateToken({ threadId, live }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const [issued, setIssued] = useState<Schemas['ThreadTokenCreated'] | null>(null);
  const queries = useQueryClient();
  const show = (token: Schemas['ThreadTokenCreated']) => {
    setIssued(token);
    void queries.invalidateQueries({ queryKey: tokensKey(threadId) });
  };
  const leave = () => {
    close();
    setIssued(null);
  };
  return (
    <>
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={open}>
        New token
      </Button>
      <Modal
        // A token may arrive after its dialog was closed.
        opened={opened || issued !== null}
        onClose={leave}
        // A click outside the dialog or Escape must not lose what is shown only once.
        closeOnClickOutside={issued === null}
        closeOnEscape={issued === null}
        title={issued ? 'Token issued' : 'New token'}
        size="lg"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {issued ? (
          <NewToken issued={issued} onDone={leave} />
        ) : (
          <TokenForm threadId={threadId} live={live} onIssued={show} onCancel={leave} />
        )}
      </Modal>
    </>
  );
}

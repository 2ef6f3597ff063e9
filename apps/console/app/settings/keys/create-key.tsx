'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { useState } from 'react';
import { KeyForm } from './key-form';
import { NewKey } from './new-key';

/** A dialog that creates a key and then shows it once. */
export function CreateKey() {
  const [opened, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<Schemas['KeyCreated'] | null>(null);
  const queries = useQueryClient();
  const finish = (key: Schemas['KeyCreated']) => {
    setMade(key);
    void queries.invalidateQueries({ queryKey: ['keys'] });
  };
  const leave = () => {
    close();
    setMade(null);
  };
  return (
    <>
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={open}>
        New key
      </Button>
      <Modal
        // A key may arrive after its dialog was closed.
        opened={opened || made !== null}
        onClose={leave}
        // A click outside the dialog or Escape must not lose a key that is shown only once.
        closeOnClickOutside={made === null}
        closeOnEscape={made === null}
        title={made ? `Key created: ${made.name}` : 'New key'}
        size="lg"
        centered
      >
        {made ? <NewKey made={made} onDone={leave} /> : <KeyForm onMade={finish} onCancel={leave} />}
      </Modal>
    </>
  );
}

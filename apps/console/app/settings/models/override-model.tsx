'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '@spillway/client';
import { OverrideForm } from './override-form';

/** A dialogue to set the window and the prices of a model: of this one, or of one whose name is typed. */
export function OverrideModel({ of }: { of: Schemas['Model'] | null }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant={of ? 'default' : 'filled'}
        onClick={open}
        aria-label={of ? `Change ${of.name}` : undefined}
      >
        {of ? 'Change' : 'Add a model'}
      </Button>
      <Modal opened={opened} onClose={close} title={of ? of.name : 'Add a model'} centered>
        <OverrideForm of={of} onDone={close} />
      </Modal>
    </>
  );
}

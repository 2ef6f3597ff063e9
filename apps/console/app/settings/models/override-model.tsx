'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '@spillway/client';
import { OverrideForm } from './override-form';

/** A dialog for the window and the prices of a model: a given one, or one whose name is typed. */
export function OverrideModel({ of, name }: { of: Schemas['Model'] | null; name?: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        variant={of ? 'default' : 'filled'}
        onClick={open}
        aria-label={of ? `Change ${of.name}` : undefined}
      >
        {of ? 'Change' : (name ?? 'Add a model')}
      </Button>
      <Modal opened={opened} onClose={close} title={of ? of.name : 'Add a model'} centered>
        <OverrideForm of={of} name={name} onDone={close} />
      </Modal>
    </>
  );
}

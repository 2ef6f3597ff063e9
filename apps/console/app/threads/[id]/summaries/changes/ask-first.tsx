'use client';

import { Button, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ScopedButton } from '@/ui/access/scoped-button';

interface Props {
  /** The button that opens the confirmation. */
  label: string;
  icon: ReactNode;
  /** The confirmation and its button. */
  title: string;
  yes: string;
  danger?: boolean;
  /** The confirmed action; the dialog stays open when it fails. */
  action: { isPending: boolean; mutate: (of: undefined, then: { onSuccess: () => void }) => void };
  children: ReactNode;
}

/** Asks for confirmation of an action that changes what the model sees. */
export function AskFirst({ label, icon, title, yes, danger = false, action, children }: Props) {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      <ScopedButton scope="threads:manage" variant="default" leftSection={icon} onClick={open}>
        {label}
      </ScopedButton>
      <Modal
        opened={asking}
        onClose={close}
        title={title}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {children}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            color={danger ? 'red' : undefined}
            loading={action.isPending}
            onClick={() => action.mutate(undefined, { onSuccess: close })}
          >
            {yes}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

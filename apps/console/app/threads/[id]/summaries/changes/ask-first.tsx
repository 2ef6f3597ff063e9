'use client';

import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ScopedButton } from '@/ui/access/scoped-button';
import { ProblemNote } from '@/ui/messages/problem-note';
import type { Confirmation } from '@/ui/messages/use-confirmation';

interface Props {
  /** The button that opens the confirmation. */
  label: string;
  icon: ReactNode;
  /** The confirmation and its button. */
  title: string;
  yes: string;
  danger?: boolean;
  action: Confirmation;
  children: ReactNode;
}

/** Asks for confirmation of an action that changes what the model sees. */
export function AskFirst({ label, icon, title, yes, danger = false, action, children }: Props) {
  return (
    <>
      <ScopedButton scope="threads:manage" variant="default" leftSection={icon} onClick={action.open}>
        {label}
      </ScopedButton>
      <Modal
        opened={action.opened}
        onClose={action.close}
        title={title}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {children}
        <ProblemNote error={action.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={action.close} data-autofocus>
            Cancel
          </Button>
          <Button color={danger ? 'red' : undefined} loading={action.isPending} onClick={action.confirm}>
            {yes}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

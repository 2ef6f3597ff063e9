'use client';

import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note';
import type { Confirmation } from './use-confirmation';

interface Props {
  title: string;
  /** The button that confirms. */
  yes: string;
  danger?: boolean;
  /** Whether what the dialog asks for is not there yet. */
  incomplete?: boolean;
  action: Confirmation;
  /** What happens, and fields that the action needs. */
  children: ReactNode;
}

/** Asks whether an action shall be done, and says why it failed. */
export function ConfirmationDialog(props: Props) {
  const { title, yes, danger = false, incomplete = false, action, children } = props;
  return (
    <Modal
      opened={action.opened}
      onClose={action.close}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!incomplete && !action.isPending) action.confirm();
        }}
      >
        {children}
        <ProblemNote error={action.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={action.close} data-autofocus>
            Cancel
          </Button>
          <Button
            type="submit"
            color={danger ? 'red' : undefined}
            disabled={incomplete}
            loading={action.isPending}
          >
            {yes}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

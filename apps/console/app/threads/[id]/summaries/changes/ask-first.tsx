'use client';

import type { ReactNode } from 'react';
import { ScopedButton } from '@/ui/access/scoped-button';
import { ConfirmationDialog } from '@/ui/messages/confirmation-dialog';
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
export function AskFirst({ label, icon, ...dialog }: Props) {
  return (
    <>
      <ScopedButton scope="threads:manage" variant="default" leftSection={icon} onClick={dialog.action.open}>
        {label}
      </ScopedButton>
      <ConfirmationDialog {...dialog} />
    </>
  );
}

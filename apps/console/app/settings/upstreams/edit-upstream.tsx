'use client';

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '@spillway/client';
import type { Provider } from './providers';
import { UpstreamForm } from './upstream-form';

/** A dialog for the upstream of an API. */
export function EditUpstream({ provider, of }: { provider: Provider; of: Schemas['Upstream'] | null }) {
  const [opened, { open, close }] = useDisclosure(false);
  const name = `${of ? 'Change' : 'Add'} the upstream for ${provider.label}`;
  return (
    <>
      <Button variant="default" onClick={open} aria-label={name}>
        {of ? 'Change' : 'Add'}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={name}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <UpstreamForm provider={provider} of={of} onDone={close} />
      </Modal>
    </>
  );
}

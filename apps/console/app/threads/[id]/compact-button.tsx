'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsMinimize } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { CompactDialog } from './compact/compact-dialog';

/** Opens what compacting now would do; nothing is done before that is seen. */
export function CompactButton({ thread }: { thread: Schemas['Thread'] }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<IconArrowsMinimize size={14} aria-hidden />} onClick={open}>
        Compact now
      </Button>
      <CompactDialog thread={thread} opened={opened} onClose={close} />
    </>
  );
}

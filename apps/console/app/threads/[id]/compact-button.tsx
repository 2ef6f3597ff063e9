'use client';

import { useDisclosure } from '@mantine/hooks';
import { IconArrowsMinimize } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { usePageCommand } from '@/ui/palette/page-commands';
import { ScopedButton } from '@/ui/access/scoped-button';
import { CompactDialog } from './compact/compact-dialog';

/** Opens what compacting now would do; nothing is done before that is seen. */
export function CompactButton({ thread }: { thread: Schemas['Thread'] }) {
  const [opened, { open, close }] = useDisclosure(false);
  usePageCommand('Compact this thread', open);
  return (
    <>
      <ScopedButton
        scope="threads:manage"
        variant="default"
        leftSection={<IconArrowsMinimize size={14} aria-hidden />}
        onClick={open}
      >
        Compact now
      </ScopedButton>
      <CompactDialog thread={thread} opened={opened} onClose={close} />
    </>
  );
}

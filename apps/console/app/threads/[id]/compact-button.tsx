'use client';

import { useDisclosure } from '@mantine/hooks';
import { IconArrowsMinimize } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { usePageCommand } from '@/ui/palette/page-commands';
import { ScopedButton } from '@/ui/access/scoped-button';
import { CompactDialog } from './compact/compact-dialog';

/** Opens a preview of a compaction; nothing is done before it is shown. */
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

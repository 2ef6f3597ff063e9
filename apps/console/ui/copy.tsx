'use client';

import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from './use-copy';

export function Copy({ text, label }: { text: string; label: string }) {
  const clipboard = useCopy();
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : label}>
      <ActionIcon size="sm" aria-label={label} onClick={() => clipboard.copy(text)}>
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}

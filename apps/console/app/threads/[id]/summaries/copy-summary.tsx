'use client';

import { Button, Menu } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useCopy } from '@/ui/use-copy';

/** Copies a summary: its text as the model sees it, or its fields. */
export function CopySummary({ summary }: { summary: Schemas['Summary'] }) {
  const clipboard = useCopy();
  const { generation, from_seq, to_seq, fields } = summary;
  const json = () => JSON.stringify({ generation, from_seq, to_seq, fields }, null, 2);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={
            clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
          }
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => clipboard.copy(summary.text)}>As text, as the model sees it</Menu.Item>
        <Menu.Item onClick={() => clipboard.copy(json())}>As JSON, field by field</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

'use client';

import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileCode, IconFileText } from '@tabler/icons-react';

/** A thread as a file. The API names it and streams it, whatever its length. */
export function ExportMenu({ threadId }: { threadId: string }) {
  const href = (format: string) => `/api/v1/threads/${encodeURIComponent(threadId)}/export?format=${format}`;
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={href('jsonl')}
          download
          leftSection={<IconFileCode size={15} aria-hidden />}
        >
          JSONL
          <br />
          <span className="dim">Every message as posted, with outputs, then the summaries</span>
        </Menu.Item>
        <Menu.Item
          component="a"
          href={href('markdown')}
          download
          leftSection={<IconFileText size={15} aria-hidden />}
        >
          Markdown
          <br />
          <span className="dim">The same as readable text</span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { IconMessageOff } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import { useEffect, useRef } from 'react';
import { Empty } from '@/ui/messages/empty';
import timeline from '../messages/timeline/timeline.module.css';
import { SentMessage } from './sent-message';
import { SystemPrompt } from './system-prompt';

interface Props {
  context: Schemas['Context'];
  /** The kind of part that the URL selects. */
  part: string | null;
}

/** The messages of a context in sending order, each with why it is there. */
export function ContextList({ context, part }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: context.messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 90,
    overscan: 6,
    useFlushSync: false,
  });
  const first = part === null ? -1 : context.parts.findIndex((one) => one.kind === part);
  useEffect(() => {
    if (first >= 0) rows.scrollToIndex(first, { align: 'start' });
    // Only when the URL names a part; not again whenever the context grows.
  }, [part, rows]);
  return (
    <div
      ref={scroller}
      className={timeline.scroller}
      tabIndex={0}
      role="group"
      aria-label="Messages of the context"
    >
      {context.messages.length === 0 && (
        <Empty icon={IconMessageOff} title="No messages to send yet">
          The context is empty until the first message is recorded.
        </Empty>
      )}
      <SystemPrompt text={context.system} note="system prompt, sent beside the messages" />
      <ol className={timeline.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <li
            key={row.key}
            ref={rows.measureElement}
            data-index={row.index}
            className={timeline.item}
            style={{ transform: `translateY(${row.start}px)` }}
            aria-setsize={context.messages.length}
            aria-posinset={row.index + 1}
          >
            <SentMessage
              index={row.index}
              message={context.messages[row.index] ?? {}}
              part={context.parts[row.index]}
              context={context}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

'use client';

import { useElementSize } from '@mantine/hooks';
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
  // The list begins below the system prompt, whose height changes when it is expanded.
  const above = useElementSize();
  const rows = useVirtualizer({
    count: context.messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 90,
    scrollMargin: above.height,
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
      <div ref={above.ref}>
        <SystemPrompt text={context.system} note="system prompt, sent beside the messages" />
      </div>
      <ol className={timeline.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <li
            key={row.key}
            ref={rows.measureElement}
            data-index={row.index}
            className={timeline.item}
            style={{ transform: `translateY(${row.start - above.height}px)` }}
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

'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import type { Schemas } from '@spillway/client';
import { useRef } from 'react';
import { count } from '@/ui/quantity';
import { QueryLink } from '@/ui/query-link';
import { ClipText } from '../messages/clip-text';
import { readContent } from '../messages/message-content';
import { RoleChip } from '../messages/role-chip';
import timeline from '../messages/timeline.module.css';
import { ToolCallCard } from '../messages/tool-call-card';
import classes from './context.module.css';
import { KindChip } from './kind-chip';

type Context = Schemas['Context'];

interface Props {
  context: Context;
}

/** The messages of a context in the order they are sent, each with where it comes from. */
export function ContextList({ context }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: context.messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 90,
    overscan: 6,
  });
  return (
    <div
      ref={scroller}
      className={timeline.scroller}
      tabIndex={0}
      role="group"
      aria-label="Messages of the context"
    >
      {context.system !== null && context.system !== '' && (
        <div className={classes.sent}>
          <div className={classes.sentHead}>
            <KindChip kind="system" /> system prompt, sent beside the messages
          </div>
          <ClipText id="system" text={context.system} lines={6} />
        </div>
      )}
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
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface SentProps {
  index: number;
  message: Record<string, unknown>;
  part: Context['parts'][number] | undefined;
}

function SentMessage({ index, message, part }: SentProps) {
  const content = readContent(message);
  const seq = part?.seq ?? null;
  return (
    <article className={classes.sent} data-kind={part?.kind}>
      <div className={classes.sentHead}>
        <RoleChip role={typeof message.role === 'string' ? message.role : 'unknown'} />
        {part && <KindChip kind={part.kind} />}
        {seq !== null && (
          <QueryLink changes={{ tab: null, at: null, seq: String(seq) }} className="num">
            message {count(seq)}
          </QueryLink>
        )}
        {part && <span className={`num ${classes.sentTokens}`}>{count(part.tokens)} tok</span>}
      </div>
      {content.text !== '' && (
        <ClipText
          id={`c${seq ?? `i${index}`}`}
          text={content.text}
          mono={message.role === 'tool'}
          format={message.role === 'tool'}
          lines={12}
        />
      )}
      {content.toolCalls.map((call) => (
        <ToolCallCard key={call.id} call={call} resultSeq={undefined} onGo={() => undefined} />
      ))}
    </article>
  );
}

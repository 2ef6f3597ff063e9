'use client';

import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { useId } from 'react';
import { reasonWords } from '@/app/attempts/reason-words';
import { triggerWords } from '@/app/attempts/trigger-words';
import { RetryButton } from '@/app/threads/list/retry-button';
import { ReviewLink } from '@/app/threads/list/review-link';
import { threadPath } from '@/app/threads/thread-path';
import { count } from '@/ui/quantity';
import table from '@/ui/lists/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from './jobs.module.css';
import type { ThreadTab } from './tabs';
import { ThreadAttempts } from './thread-attempts';

const none = <span className="dim">—</span>;

/** How many columns the table of a state has. */
const columns: Record<ThreadTab, number> = { due: 7, running: 7, backoff: 9, proposed: 8, parked: 9 };

interface Props {
  thread: Schemas['DueThread'];
  state: ThreadTab;
}

export function JobRow({ thread, state }: Props) {
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const { compaction, thread_id, trigger } = thread;
  const retries = state === 'parked' || state === 'backoff';
  return (
    <>
      <tr>
        <td className={classes.toggle}>
          <ActionIcon
            size="sm"
            aria-label={`Attempts of ${thread_id}`}
            aria-expanded={opened}
            {...(opened ? { 'aria-controls': id } : {})}
            onClick={toggle}
          >
            {opened ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        </td>
        <td>
          <Link
            href={`${threadPath(thread_id)}?tab=compactions`}
            className={`mono ${classes.id}`}
            prefetch={false}
          >
            {thread_id}
          </Link>
        </td>
        <td className="dim">{triggerWords(trigger)}</td>
        <td className={`num ${table.right}`}>
          {count(thread.live_tokens)} <span className="dim">/ {count(thread.trigger_tokens)}</span>
        </td>
        <td className={`num ${table.right}`}>{compaction.attempt === 0 ? none : compaction.attempt}</td>
        <td className="dim">{thread.requested_at ? <TimeAgo at={thread.requested_at} /> : none}</td>
        {state === 'backoff' && (
          <td className="dim">
            {compaction.next_attempt_at ? <TimeAgo at={compaction.next_attempt_at} /> : none}
          </td>
        )}
        {state === 'parked' && <td>{reasonWords(compaction.reason ?? '').name}</td>}
        <td className={`${table.wrapping} ${classes.error}`}>{thread.last_error ?? none}</td>
        {retries && (
          <td className={`${table.right} ${table.action}`}>
            <RetryButton threadId={thread_id} />
          </td>
        )}
        {state === 'proposed' && (
          <td className={`${table.right} ${table.action}`}>
            {compaction.prepared && (
              <ReviewLink threadId={thread_id} generation={compaction.prepared.generation} />
            )}
          </td>
        )}
      </tr>
      {opened && (
        <tr id={id} className={classes.inner}>
          <td colSpan={columns[state]}>
            <ThreadAttempts threadId={thread_id} />
          </td>
        </tr>
      )}
    </>
  );
}

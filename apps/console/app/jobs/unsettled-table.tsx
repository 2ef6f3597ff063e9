import { IconCircleCheck } from '@tabler/icons-react';
import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { RetryButton } from '@/app/threads/retry-button';
import { threadPath } from '@/app/threads/thread-path';
import { Empty } from '@/ui/empty';
import { count } from '@/ui/quantity';
import { StateBadge } from '@/ui/state-badge';
import table from '@/ui/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import classes from './jobs.module.css';

type DueThread = Schemas['DueThread'];

const none = <span className="dim">—</span>;

/** Threads that are due, running, backing off or parked. The parked ones wait for a person. */
export function UnsettledTable({ threads }: { threads: DueThread[] }) {
  if (threads.length === 0) {
    return (
      <div className={classes.empty}>
        <Empty icon={IconCircleCheck} title="All caught up">
          No thread is due, running, backing off or parked.
        </Empty>
      </div>
    );
  }
  return (
    <div className={classes.sideways} tabIndex={0} role="group" aria-label="Threads to compact">
      <table className={table.table}>
        <thead>
          <tr>
            <th>Thread</th>
            <th>State</th>
            <th className={table.right}>Live / trigger</th>
            <th className={table.right}>Attempt</th>
            <th>Requested</th>
            <th>Next try</th>
            <th>Last error</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {threads.map((thread) => (
            <UnsettledRow key={thread.thread_id} thread={thread} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UnsettledRow({ thread }: { thread: DueThread }) {
  const { compaction, thread_id } = thread;
  return (
    <tr>
      <td>
        <Link
          href={`${threadPath(thread_id)}?tab=compactions`}
          className={`mono ${classes.id}`}
          prefetch={false}
        >
          {thread_id}
        </Link>
      </td>
      <td>
        <StateBadge compaction={compaction} withReason />
      </td>
      <td className={`num ${table.right}`}>
        {count(thread.live_tokens)} <span className="dim">/ {count(thread.trigger_tokens)}</span>
      </td>
      <td className={`num ${table.right}`}>{compaction.attempt === 0 ? none : compaction.attempt}</td>
      <td className="dim">{thread.requested_at ? <TimeAgo at={thread.requested_at} /> : none}</td>
      <td className="dim">
        {compaction.next_attempt_at ? <TimeAgo at={compaction.next_attempt_at} /> : none}
      </td>
      <td className={`${table.wrapping} ${classes.error}`}>{thread.last_error ?? none}</td>
      <td className={table.right}>
        {(compaction.state === 'parked' || compaction.state === 'backoff') && (
          <RetryButton threadId={thread_id} />
        )}
      </td>
    </tr>
  );
}

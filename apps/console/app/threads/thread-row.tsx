import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { memo } from 'react';
import { count, short } from '@/ui/quantity';
import { StateBadge } from '@/ui/state-badge';
import table from '@/ui/table.module.css';
import { TimeAgo } from '@/ui/time-ago';
import { FillBar } from './fill-bar';
import { threadPath } from './thread-path';
import classes from './threads.module.css';

/** Memoized: a poll that brings the same row again must not render it again. */
export const ThreadRow = memo(function ThreadRow({ thread }: { thread: Schemas['Thread'] }) {
  const { compaction } = thread;
  return (
    <tr className={classes.row}>
      <td className={classes.idCell}>
        <Link
          href={threadPath(thread.id)}
          className={`mono ${classes.id}`}
          title={thread.id}
          prefetch={false}
        >
          {thread.id}
        </Link>
      </td>
      <td className={classes.stateCell}>
        <StateBadge compaction={compaction} withReason />
      </td>
      <td className={`dim ${classes.wide}`}>
        <span className={classes.model} title={thread.model ?? undefined}>
          {thread.model ?? '—'}
        </span>
      </td>
      <td className={classes.windowCell}>
        <FillBar thread={thread} />
      </td>
      <td className={`num ${table.right} ${classes.medium}`}>{count(thread.last_seq)}</td>
      <td
        className={`num ${table.right} ${classes.medium}`}
        title={`${count(thread.total_tokens)} recorded, ${count(thread.live_tokens)} live`}
      >
        <span className="dim">{short(thread.total_tokens)} →</span> {short(thread.live_tokens)}
      </td>
      <td className={`num ${table.right} ${classes.wide}`}>
        {compaction.generation === 0 ? <span className="dim">—</span> : compaction.generation}
      </td>
      <td className={`num ${table.right} ${classes.wide}`}>
        {thread.output_count === 0 ? <span className="dim">—</span> : count(thread.output_count)}
      </td>
      <td className={`dim ${table.right}`}>
        <TimeAgo at={thread.updated_at} />
      </td>
    </tr>
  );
});

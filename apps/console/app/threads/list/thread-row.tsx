import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { memo } from 'react';
import { Copy } from '@/ui/copy';
import { count, decrease, plural, short } from '@/ui/quantity';
import { TimeAgo } from '@/ui/time-ago';
import { FillBar } from './fill-bar';
import { StateBadge } from './state-badge';
import classes from './thread-list.module.css';
import type { ThreadSort } from '../filters/thread-filters';
import { threadPath } from '../thread-path';

interface Props {
  thread: Schemas['ThreadListed'];
  sort: ThreadSort;
  /** On a phone no column head names the values. */
  narrow: boolean;
}

/** Memoized: a poll that brings the same row again must not render it again. */
export const ThreadRow = memo(function ThreadRow({ thread, sort, narrow }: Props) {
  const { compaction, total_tokens: total, live_tokens: live, saved_tokens: saved } = thread;
  return (
    <>
      <span role="cell" className={classes.state}>
        <StateBadge compaction={compaction} withReason />
      </span>
      <span role="cell" className={classes.name}>
        <Link
          href={threadPath(thread.id)}
          className={`mono ${classes.id}`}
          title={thread.id}
          prefetch={false}
        >
          {thread.id}
        </Link>
        <span className={classes.copy}>
          <Copy text={thread.id} label={`Copy the id ${thread.id}`} />
        </span>
      </span>
      <span role="cell" className={`dim ${classes.model}`} title={thread.model ?? undefined}>
        {thread.model ?? '—'}
      </span>
      <span role="cell" className={classes.window}>
        <FillBar thread={thread} />
      </span>
      <span role="cell" className={`num ${classes.messages}`}>
        {narrow ? plural(thread.last_seq, 'message') : count(thread.last_seq)}
      </span>
      <span
        role="cell"
        className={`num ${classes.tokens}`}
        title={`${count(total)} tokens recorded, ${count(live)} live, ${count(saved)} saved`}
      >
        {narrow ? (
          `${short(live)} live tokens`
        ) : (
          <>
            <span className="dim">{short(total)} →</span> {short(live)}
            <span className={classes.saved}>{saved > 0 && decrease(saved / total)}</span>
          </>
        )}
      </span>
      <span role="cell" className={`num ${classes.generation}`}>
        {compaction.generation === 0 ? <span className="dim">—</span> : compaction.generation}
      </span>
      <span role="cell" className={`dim ${classes.activity}`}>
        {sort === 'created' ? (
          <>
            {narrow && 'created '}
            <TimeAgo at={thread.created_at} />
          </>
        ) : (
          <TimeAgo at={thread.updated_at} />
        )}
      </span>
    </>
  );
});

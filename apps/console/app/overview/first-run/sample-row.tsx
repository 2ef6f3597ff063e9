import type { Schemas } from '@spillway/client';
import Link from 'next/link';
import { threadPath } from '@/app/threads/thread-path';
import { StateBadge } from '@/app/threads/list/state-badge';
import { plural, short } from '@/ui/quantity';
import classes from './first-run.module.css';

interface Props {
  name: string;
  thread: Schemas['ThreadListed'] | undefined;
  isLongest: boolean;
}

/** A sample with its loading and compaction progress. */
export function SampleRow({ name, thread, isLongest }: Props) {
  if (!thread) {
    return (
      <li className={classes.sample}>
        <span className="mono">{name}</span>
        <span className="dim">not loaded yet</span>
      </li>
    );
  }
  const { compaction, last_seq, live_tokens, total_tokens } = thread;
  return (
    <li className={classes.sample}>
      <Link href={threadPath(thread.id)} className="mono inline">
        {name}
      </Link>
      <StateBadge compaction={compaction} />
      <span className={classes.facts}>
        {plural(last_seq, 'message')}, {short(total_tokens)} tokens recorded, {short(live_tokens)} in the
        context
        {compaction.generation > 0 && `, generation ${compaction.generation}`}
      </span>
      {isLongest && (
        <Link href={threadPath(thread.id)} className={classes.open}>
          Open the longest
        </Link>
      )}
    </li>
  );
}
